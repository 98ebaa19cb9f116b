# Installation, the files that make find_package(fedstein) work, and the Debian packages: `fedstein`, the program, and
# `libfedstein-dev`, what a C++ program needs. tests/package proves all of it.
include(headers)
include(CMakePackageConfigHelpers)

set(fedstein_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/fedstein")

# A folder is a component. Those without API headers that no other needs (report, fetch) belong to the program alone.
get_property(built GLOBAL PROPERTY FEDSTEIN_FOLDERS)
set(with_api "")
foreach(folder IN LISTS built)
  fedstein_api(headers ${folder})
  if(headers)
    list(APPEND with_api ${folder})
  endif()
endforeach()
fedstein_folders_for(components ${with_api})
fedstein_api(fedstein_api_headers ${components})

set(component_facts "set(fedstein_components ${components})\n")
foreach(folder IN LISTS components)
  install(TARGETS fedstein_${folder} EXPORT fedstein_${folder} ARCHIVE COMPONENT development)
  install(EXPORT fedstein_${folder} NAMESPACE fedstein:: FILE fedsteinTargets-${folder}.cmake DESTINATION ${fedstein_package_dir}
    COMPONENT development)
  fedstein_layers_of(${folder} used)
  get_property(outside GLOBAL PROPERTY FEDSTEIN_OUTSIDE_OF_${folder})
  string(APPEND component_facts "set(fedstein_${folder}_uses ${used})\nset(fedstein_${folder}_needs \"${outside}\")\n")
endforeach()
file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/fedsteinComponents.cmake" CONTENT "${component_facts}")

# What an older installation left would be found by programs that should not find it.
install(CODE "
  set(into \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}\")
  file(REMOVE_RECURSE \"\${into}/fedstein\")
  execute_process(COMMAND \"${CMAKE_COMMAND}\" \"-DSOURCE=${PROJECT_SOURCE_DIR}/src\"
    \"-DGENERATED=${PROJECT_BINARY_DIR}/generated\" \"-DINTO=\${into}\" \"-DROOTS=${fedstein_api_headers}\"
    -P \"${CMAKE_CURRENT_LIST_DIR}/headers.cmake\" COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB_RECURSE written \"\${into}/fedstein/*.h\")
  list(APPEND CMAKE_INSTALL_MANIFEST_FILES \${written})"
  COMPONENT development)

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/fedsteinConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/fedsteinConfig.cmake" INSTALL_DESTINATION ${fedstein_package_dir})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/fedsteinConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/fedsteinConfig.cmake"
  "${PROJECT_BINARY_DIR}/fedsteinConfigVersion.cmake"
  "${PROJECT_BINARY_DIR}/fedsteinComponents.cmake"
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
