// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// All of the library's public headers. What they say is promised; what is below fatwood/detail/ is
// only there because they need it, and changes without notice.

#include <fatwood/analyse.hpp>
#include <fatwood/fabric.hpp>
#include <fatwood/load.hpp>
#include <fatwood/model.hpp>
#include <fatwood/route.hpp>
#include <fatwood/verify.hpp>
#include <fatwood/version.hpp>
