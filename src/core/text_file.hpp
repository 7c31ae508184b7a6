#pragma once
// A file of ours that is read line by line. The formats of other programs come through
// io/input.hpp, which also unpacks.

#include <fstream>
#include <string>

namespace fatwood {

// InputError naming the file when it can't be read or is a directory.
std::ifstream open_text(const std::string& path);

}  // namespace fatwood
