# One library a folder, linked to what the folder may see. scripts/check-includes refuses an include
# that points the other way.
# fatwood_library(NAME DEPENDS a b LINK lib...) takes every .cpp below the current folder.
function(fatwood_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  add_library(fatwood_${name} STATIC ${sources})
  list(TRANSFORM ARG_DEPENDS PREPEND fatwood_)
  target_link_libraries(fatwood_${name} PUBLIC fatwood_flags ${ARG_DEPENDS} PRIVATE ${ARG_LINK})
  fatwood_precompiled_headers(fatwood_${name})
endfunction()

# The headers that most files take, compiled once for all. A file still includes what it uses: the
# presets fuzz, asan and plain compile without. System headers only, so that ccache finds the result
# of another checkout.
if(FATWOOD_PCH)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/headers.cpp CONTENT "")
  add_library(fatwood_headers STATIC ${PROJECT_BINARY_DIR}/headers.cpp)
  target_link_libraries(fatwood_headers PRIVATE fatwood_flags)
  target_precompile_headers(fatwood_headers PRIVATE <algorithm> <array> <bit> <cmath> <cstdint>
    <filesystem> <functional> <map> <memory> <numeric> <optional> <ranges> <span> <string>
    <string_view> <unordered_map> <utility> <vector> <fmt/format.h>)
endif()
function(fatwood_precompiled_headers target)
  if(FATWOOD_PCH)
    target_precompile_headers(${target} REUSE_FROM fatwood_headers)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL EXECUTABLE) # as the libraries, or the compiler takes the headers for others
      set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
      target_compile_options(${target} PRIVATE -fPIC)
    endif()
  endif()
endfunction()
