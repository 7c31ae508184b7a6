# One library a folder: a file that includes what its folder may not see does not link.
# fatwood_library(NAME DEPENDS a b LINK lib...) takes every .cpp below the current folder.
function(fatwood_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  add_library(fatwood_${name} STATIC ${sources})
  list(TRANSFORM ARG_DEPENDS PREPEND fatwood_)
  target_link_libraries(fatwood_${name} PUBLIC fatwood_flags ${ARG_DEPENDS} PRIVATE ${ARG_LINK})
endfunction()
