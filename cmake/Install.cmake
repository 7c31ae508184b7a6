# SPDX-License-Identifier: BSD-3-Clause
# What `cmake --install` puts where: libfatwood with its headers, CMake package and pkg-config file; the
# program, its manual and completion; the OpenSM plug-in (opensm/).
include(CMakePackageConfigHelpers)

# One library of all folders. The program and plug-in take the folders' archives instead, and so run
# without it. Its version is the C interface's: 1.y replaces 1.x (docs/versions.md).
get_property(folders GLOBAL PROPERTY FATWOOD_FOLDERS)
list(REMOVE_ITEM folders fatwood_studies) # a client, like the program
add_library(fatwood_library SHARED)
foreach(folder ${folders})
  target_sources(fatwood_library PRIVATE $<TARGET_OBJECTS:${folder}>)
endforeach()
target_link_libraries(fatwood_library PRIVATE ${folders}) # for what they link to
set_target_properties(fatwood_library PROPERTIES OUTPUT_NAME fatwood EXPORT_NAME fatwood LINKER_LANGUAGE CXX
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
target_compile_features(fatwood_library INTERFACE cxx_std_20)
target_include_directories(fatwood_library INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

install(TARGETS fatwood_library EXPORT fatwood-targets)
configure_file(include/fatwood/version.hpp.in ${PROJECT_BINARY_DIR}/include/fatwood/version.hpp @ONLY)
install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" -D \"SOURCE=${PROJECT_SOURCE_DIR}\"
  -D \"GENERATED=${PROJECT_BINARY_DIR}/include/fatwood\"
  -D \"TARGET=\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}/fatwood\"
  -P \"${PROJECT_SOURCE_DIR}/cmake/InstallHeaders.cmake\" COMMAND_ERROR_IS_FATAL ANY)")

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/fatwood)
install(EXPORT fatwood-targets NAMESPACE fatwood:: DESTINATION ${package})
configure_package_config_file(cmake/fatwood-config.cmake.in ${PROJECT_BINARY_DIR}/fatwood-config.cmake
  INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/fatwood-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/fatwood-config.cmake ${PROJECT_BINARY_DIR}/fatwood-config-version.cmake
  DESTINATION ${package})
# Its prefix is known when it is installed.
install(CODE "set(PROJECT_VERSION \"${PROJECT_VERSION}\")
  set(CMAKE_INSTALL_LIBDIR \"${CMAKE_INSTALL_LIBDIR}\")
  set(CMAKE_INSTALL_INCLUDEDIR \"${CMAKE_INSTALL_INCLUDEDIR}\")
  configure_file(\"${PROJECT_SOURCE_DIR}/cmake/fatwood.pc.in\"
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig/fatwood.pc\" @ONLY)")
install(FILES completion/_fatwood DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES completion/fatwood.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES completion/fatwood.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME fatwood)
install(DIRECTORY schema/ DESTINATION ${CMAKE_INSTALL_DATADIR}/fatwood/schema FILES_MATCHING PATTERN *.json)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
