// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Fabrics and forwarding tables from files, and into them.
//
//   fatwood::load_fabric(text)           a formula, a file of any format, the folder of a run, or
//   "-" fatwood::load_tables(path, fabric)   forwarding tables, of any format
//   fatwood::save_tables(path, ...)      as `opensm -R file -U FILE` reads them
//
// Formats are found by looking inside; gzip and xz are read as they are. Wrong input is an
// InputError with file, line and column. Files appear whole or not at all.

#include "io/fabric/load_fabric.hpp"
#include "io/tables/load_tables.hpp"
#include "io/tables/save_tables.hpp"
