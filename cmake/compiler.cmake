# Compiler settings of our own targets: fedstein::warnings is linked PRIVATE and never reaches a consumer.

add_library(fedstein_warnings INTERFACE)
add_library(fedstein::warnings ALIAS fedstein_warnings)
target_compile_options(fedstein_warnings INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wold-style-cast -Wnon-virtual-dtor -Woverloaded-virtual
  $<$<BOOL:${FEDSTEIN_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 sees uninitialised values inside Eigen's AVX-512 intrinsics (GCC bug 105593) and impossible copies inside
  # std::string's operator+ (105651): not ours, not real. clang, in the preset `tidy`, still watches for the real ones.
  target_compile_options(fedstein_warnings INTERFACE
    -Wno-maybe-uninitialized -Wno-uninitialized -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
endif()

# A precompiled header is only cacheable when ccache may ignore its time stamp. Paths count from the source folder, so that
# every clone and work tree of one machine shares one cache.
find_program(FEDSTEIN_CCACHE ccache)
if(FEDSTEIN_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
    ${FEDSTEIN_CCACHE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess)
  endif()
endif()

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_EXTENSIONS OFF)
