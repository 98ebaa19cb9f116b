# Installation, and the files that make find_package(fedstein) work. tests/package proves it.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(fedstein_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/fedstein")
get_property(fedstein_folders GLOBAL PROPERTY FEDSTEIN_FOLDERS)
install(TARGETS ${fedstein_folders} EXPORT fedstein FILE_SET HEADERS)
install(EXPORT fedstein NAMESPACE fedstein:: FILE fedsteinTargets.cmake DESTINATION ${fedstein_package_dir})

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/fedsteinConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/fedsteinConfig.cmake" INSTALL_DESTINATION ${fedstein_package_dir})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/fedsteinConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/fedsteinConfig.cmake"
  "${PROJECT_BINARY_DIR}/fedsteinConfigVersion.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/FindRandom123.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/FindMatio.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/FindHttplib.cmake"
  DESTINATION ${fedstein_package_dir})
