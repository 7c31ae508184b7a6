// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// All public headers of the library. Their contents are stable; what is installed below
// fatwood/detail/ is internal and changes without notice.

#include <fatwood/compare.hpp>
#include <fatwood/fabric.hpp>
#include <fatwood/files.hpp>
#include <fatwood/job.hpp>
#include <fatwood/load.hpp>
#include <fatwood/model.hpp>
#include <fatwood/repair.hpp>
#include <fatwood/route.hpp>
#include <fatwood/simulate.hpp>
#include <fatwood/transition.hpp>
#include <fatwood/verify.hpp>
#include <fatwood/version.hpp>
#include <fatwood/whatif.hpp>
#include <fatwood/worst.hpp>
