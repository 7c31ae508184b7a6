// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Output files appear whole or not at all: written without a name in their folder, then given it. A
// program that is stopped leaves nothing behind. (On file systems without nameless files, as NFS,
// FILE.partial.PID is written and renamed, and a program that is killed leaves it there.) Links are
// followed; devices and pipes are written straight.

#include <functional>
#include <ostream>
#include <string>

namespace fatwood {

// "-" is standard output. InputError naming the path when it can't be written.
void write_output(const std::string& path, const std::function<void(std::ostream&)>& write);

}  // namespace fatwood
