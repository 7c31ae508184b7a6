// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Reads fabrics and forwarding tables from files, and writes them.
//
//   fatwood::load_fabric(text)          a formula, a file of any format, the folder of a run, "-"
//   fatwood::load_tables(path, fabric)  forwarding tables of any format
//   fatwood::save_tables(path, ...)     as `opensm -R file -U FILE` reads them
//
// Formats are detected by content; gzip and xz are decompressed. Wrong input is an InputError with
// file, line and column. A file is written completely or not at all.

#include "io/fabric/load_fabric.hpp"
#include "io/tables/load_tables.hpp"
#include "io/tables/routing_files.hpp"
