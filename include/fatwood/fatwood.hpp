// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// All public headers of the library. Their contents are stable. Headers in fatwood/detail/ are
// internal and change without notice.

#include <fatwood/analyse.hpp>
#include <fatwood/fabric.hpp>
#include <fatwood/load.hpp>
#include <fatwood/model.hpp>
#include <fatwood/route.hpp>
#include <fatwood/verify.hpp>
#include <fatwood/version.hpp>
