# SPDX-License-Identifier: BSD-3-Clause
# Installs the public headers (include/fatwood/) and, below fatwood/detail/, those of src/ that they
# need and no more. In the checkout they name each other from src/; installed, from fatwood/detail/, so
# that nobody else's "core/error.hpp" is meant.
#   cmake -D SOURCE=... -D GENERATED=... -D TARGET=... -P InstallHeaders.cmake
# GENERATED: folder of the headers that configuration made. TARGET: the folder fatwood/ to fill.
cmake_minimum_required(VERSION 3.25)
file(GLOB public ${SOURCE}/include/fatwood/*.hpp ${SOURCE}/include/fatwood/*.h ${GENERATED}/*.hpp)
set(wanted "")

# Writes the header with its includes renamed, and notes what it needs in `wanted`.
function(install_header from to)
  file(READ ${from} text)
  string(REGEX MATCHALL "#include \"[^\"\n]+\"" includes "${text}")
  foreach(include ${includes})
    string(REGEX REPLACE "#include \"(.*)\"" "\\1" name "${include}")
    list(APPEND wanted ${name})
  endforeach()
  set(wanted ${wanted} PARENT_SCOPE)
  string(REGEX REPLACE "#include \"([^\"\n]+)\"" "#include <fatwood/detail/\\1>" text "${text}")
  file(WRITE ${to} "${text}")
endfunction()

foreach(header ${public})
  get_filename_component(name ${header} NAME)
  install_header(${header} ${TARGET}/${name})
endforeach()
set(done "")
while(wanted)
  list(POP_FRONT wanted name)
  if(NOT name IN_LIST done)
    list(APPEND done ${name})
    install_header(${SOURCE}/src/${name} ${TARGET}/detail/${name})
  endif()
endwhile()
