# cpp-httplib as Debian packs it: header and library apart, so a user must define what the library was built with.
# Its pkg-config file knows; there is no CMake package.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_Httplib QUIET cpp-httplib)
endif()
find_path(Httplib_INCLUDE_DIR httplib.h)
find_library(Httplib_LIBRARY cpp-httplib)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Httplib REQUIRED_VARS Httplib_LIBRARY Httplib_INCLUDE_DIR PC_Httplib_CFLAGS_OTHER)
if(Httplib_FOUND AND NOT TARGET Httplib::Httplib)
  find_package(OpenSSL REQUIRED)
  find_package(Threads REQUIRED)
  add_library(Httplib::Httplib UNKNOWN IMPORTED)
  set_target_properties(Httplib::Httplib PROPERTIES
    IMPORTED_LOCATION "${Httplib_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Httplib_INCLUDE_DIR}"
    INTERFACE_COMPILE_OPTIONS "${PC_Httplib_CFLAGS_OTHER}"
    INTERFACE_LINK_LIBRARIES "OpenSSL::SSL;OpenSSL::Crypto;Threads::Threads")
endif()
