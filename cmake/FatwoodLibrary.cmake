# SPDX-License-Identifier: BSD-3-Clause
# One library a folder, linked to what the folder may see. scripts/check-includes refuses an include
# that points the other way.
# fatwood_library(NAME FOLDERS a b DEPENDS c d LINK lib... ALONE file... NO_HOT_LOOPS) takes every .cpp
# below the current folder, or below FOLDERS of it. ALONE: files to compile by themselves, see fatwood_together. NO_HOT_LOOPS: see
# fatwood_no_hot_loops.
function(fatwood_library name)
  cmake_parse_arguments(ARG "NO_HOT_LOOPS" "" "FOLDERS;DEPENDS;LINK;ALONE" ${ARGN})
  set(patterns *.cpp)
  if(ARG_FOLDERS)
    list(TRANSFORM ARG_FOLDERS APPEND /*.cpp OUTPUT_VARIABLE patterns)
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${patterns})
  add_library(fatwood_${name} STATIC ${sources})
  list(TRANSFORM ARG_DEPENDS PREPEND fatwood_)
  target_link_libraries(fatwood_${name} PUBLIC fatwood_flags ${ARG_DEPENDS} PRIVATE ${ARG_LINK})
  if(ARG_NO_HOT_LOOPS)
    fatwood_no_hot_loops(fatwood_${name})
  endif()
  fatwood_precompiled_headers(fatwood_${name})
  fatwood_together(fatwood_${name} ${ARG_ALONE})
  set_property(GLOBAL APPEND PROPERTY FATWOOD_FOLDERS fatwood_${name})
endfunction()

# fatwood_together(TARGET ALONE...): compiles FATWOOD_TOGETHER files at a time. Most presets take
# 24, which halves the time of a cold build. So a private name must be unique in its folder.
function(fatwood_together target)
  foreach(file ${ARGN})
    if(NOT IS_ABSOLUTE ${file} AND NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${file})
      message(FATAL_ERROR "${file} was moved: it is named to be compiled alone")
    endif()
  endforeach()
  if(FATWOOD_TOGETHER)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${FATWOOD_TOGETHER})
    set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    if(NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
      return()
    endif()
    # GCC 12 takes a string that it sees moved for one past its end. Files alone are looked at with all.
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow
      -Wno-stringop-overread)
    # GCC stops inlining in units that grow; hot loops need it as if their file were alone.
    if(NOT FATWOOD_SANITIZE AND target MATCHES "_(topology|plan|routing|verify|analysis|io)$")
      target_compile_options(${target} PRIVATE --param=large-unit-insns=1000000)
    endif()
  endif()
endfunction()

# fatwood_no_hot_loops(TARGET): what a person waits for is the compiler, not this code. Before
# fatwood_precompiled_headers, which goes by it.
function(fatwood_no_hot_loops target)
  if(CMAKE_BUILD_TYPE STREQUAL Release)
    target_compile_options(${target} PRIVATE -O1)
    set_target_properties(${target} PROPERTIES FATWOOD_HEADERS fatwood_headers_O1)
  endif()
endfunction()

# fatwood_test_code(TARGET): the same for tests; under the sanitizers they compile in half the time without
# optimisation. They have precompiled headers of their own, as those must be compiled alike.
function(fatwood_test_code target)
  if(FATWOOD_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  else()
    fatwood_no_hot_loops(${target})
  endif()
endfunction()

# The headers that most files take, compiled once for each level of optimisation: GCC does not take
# headers that were compiled with other options (-O3 implies some of the machine that -O1 does not).
# A file still includes what it uses: the presets fuzz and plain compile without. System headers
# only, so that ccache finds the result of another checkout.
set(FATWOOD_HEADERS <algorithm> <array> <bit> <cmath> <cstdint> <filesystem> <functional> <map>
  <memory> <numeric> <optional> <ranges> <span> <string> <string_view> <unordered_map> <utility>
  <vector> <fmt/format.h>)
if(FATWOOD_PCH)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/headers.cpp CONTENT "")
  foreach(name fatwood_headers fatwood_headers_O1)
    add_library(${name} STATIC ${PROJECT_BINARY_DIR}/headers.cpp)
    target_link_libraries(${name} PRIVATE fatwood_flags)
    target_precompile_headers(${name} PRIVATE ${FATWOOD_HEADERS})
  endforeach()
  fatwood_no_hot_loops(fatwood_headers_O1)
endif()
# fatwood_precompiled_headers(TARGET [FROM]): those of the target FROM, by default the ones above that
# were compiled like TARGET.
function(fatwood_precompiled_headers target)
  if(NOT FATWOOD_PCH)
    return()
  endif()
  get_target_property(from ${target} FATWOOD_HEADERS)
  if(ARGC GREATER 1)
    set(from ${ARGV1})
  elseif(NOT from)
    set(from fatwood_headers)
  endif()
  target_precompile_headers(${target} REUSE_FROM ${from})
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE) # as the libraries, or the compiler takes the headers for others
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
endfunction()
