# Installation, the files that make find_package(fedstein) work, and the Debian packages: `fedstein`, the program, and
# `libfedstein-dev`, what a C++ program needs. tests/package proves all of it.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(fedstein_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/fedstein")
get_property(fedstein_folders GLOBAL PROPERTY FEDSTEIN_FOLDERS)
install(TARGETS ${fedstein_folders} EXPORT fedstein
  ARCHIVE COMPONENT development
  FILE_SET HEADERS COMPONENT development)
install(EXPORT fedstein NAMESPACE fedstein:: FILE fedsteinTargets.cmake DESTINATION ${fedstein_package_dir}
  COMPONENT development)

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/fedsteinConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/fedsteinConfig.cmake" INSTALL_DESTINATION ${fedstein_package_dir})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/fedsteinConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/fedsteinConfig.cmake"
  "${PROJECT_BINARY_DIR}/fedsteinConfigVersion.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/FindRandom123.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/FindMatio.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/FindHttplib.cmake"
  DESTINATION ${fedstein_package_dir} COMPONENT development)

# Debian wants the licence under this name, in each package's own folder.
foreach(pair program=fedstein development=libfedstein-dev)
  string(REPLACE "=" ";" pair ${pair})
  list(GET pair 0 component)
  list(GET pair 1 package)
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${package}" RENAME copyright
    COMPONENT ${component})
endforeach()
install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/fedstein" COMPONENT program)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/fedstein" COMPONENT program
  FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.csv")

set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_PACKAGING_INSTALL_PREFIX "/usr")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_CONTACT "The fedstein developers")
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
# A build for this processor only must not be taken for one that runs everywhere: `make package` builds the other kind.
if(FEDSTEIN_NATIVE)
  set(CPACK_DEBIAN_PACKAGE_VERSION "${PROJECT_VERSION}+native")
elseif(FEDSTEIN_LEVEL)
  string(REPLACE "-" "." level "${FEDSTEIN_LEVEL}")  # what follows a version's last - is its revision
  set(CPACK_DEBIAN_PACKAGE_VERSION "${PROJECT_VERSION}+${level}")
else()
  set(CPACK_DEBIAN_PACKAGE_VERSION "${PROJECT_VERSION}")
endif()
# What the program links is found by dpkg-shlibdeps; what the static libraries and their CMake files ask for is not.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME fedstein)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "${PROJECT_DESCRIPTION}: the program")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libfedstein-dev)
string(JOIN ", " CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  libeigen3-dev librandom123-dev libtbb-dev zlib1g-dev libbz2-dev libmatio-dev libsqlite3-dev libtomlplusplus-dev
  libgrpc++-dev libprotobuf-dev protobuf-compiler-grpc libssl-dev libcpp-httplib-dev)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "${PROJECT_DESCRIPTION}: C++ headers and static libraries")
include(CPack)
