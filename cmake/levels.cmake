# A program per level of the x86-64 instruction set, so that a package is as fast as a build for its machine.
#
# Whole programs, because Eigen's inline functions must be compiled alike on both sides of every border between our
# libraries: nothing smaller can be chosen while it runs. The C library could choose among shared libraries
# (glibc-hwcaps), but not by a variable of ours, nor with a sentence when that is wrong, and the libraries would have
# to hold the whole program for the same reason.
#
# apps/launcher.cc picks among them. Other architectures have no such levels: one build is right there.

set(FEDSTEIN_BETTER_LEVELS x86-64-v3 x86-64-v4)  # as in apps/cpu_levels.h, which knows how to recognise them
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(FEDSTEIN_IS_X86_64 ON)
  set(FEDSTEIN_BUILT_FOR "x86-64")
else()
  set(FEDSTEIN_IS_X86_64 OFF)
  set(FEDSTEIN_BUILT_FOR "${CMAKE_SYSTEM_PROCESSOR}")
endif()
if(FEDSTEIN_NATIVE)
  set(FEDSTEIN_BUILT_FOR "native")
elseif(FEDSTEIN_LEVEL)
  set(FEDSTEIN_BUILT_FOR "${FEDSTEIN_LEVEL}")
endif()
if(FEDSTEIN_DISPATCH AND (FEDSTEIN_NATIVE OR FEDSTEIN_LEVEL))
  message(FATAL_ERROR "FEDSTEIN_DISPATCH is on, but FEDSTEIN_NATIVE or FEDSTEIN_LEVEL chooses the instructions of every program")
endif()

include(GNUInstallDirs)
set(FEDSTEIN_LEVELS_DIR "${CMAKE_INSTALL_LIBEXECDIR}/fedstein")
# From the folder of bin/fedstein: the installation may be moved.
file(RELATIVE_PATH FEDSTEIN_LEVELS_FROM_BIN "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBEXECDIR}/fedstein")

# fedstein_build_levels(): the better levels' programs, each from a build of this project inside this one's folder, one
# after another, because each of them uses all cores. Only the program; libfedstein-dev holds the libraries for every processor.
function(fedstein_build_levels)
  include(ExternalProject)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  set(before fedstein)
  foreach(level IN LISTS FEDSTEIN_BETTER_LEVELS)
    set(folder "${PROJECT_BINARY_DIR}/${level}")
    # -s: cpack strips what this project builds itself, and nothing else.
    ExternalProject_Add(fedstein_${level}
      PREFIX "${PROJECT_BINARY_DIR}/levels"
      SOURCE_DIR "${PROJECT_SOURCE_DIR}"
      BINARY_DIR "${folder}"
      DEPENDS ${before}
      CMAKE_CACHE_ARGS
        "-DCMAKE_BUILD_TYPE:STRING=${CMAKE_BUILD_TYPE}"
        "-DCMAKE_CXX_COMPILER:FILEPATH=${CMAKE_CXX_COMPILER}"
        "-DCMAKE_CXX_FLAGS:STRING=${CMAKE_CXX_FLAGS}"
        "-DCMAKE_CXX_FLAGS_${type}:STRING=${CMAKE_CXX_FLAGS_${type}}"
        "-DCMAKE_EXE_LINKER_FLAGS:STRING=${CMAKE_EXE_LINKER_FLAGS} -s"
        "-DCMAKE_PREFIX_PATH:STRING=${CMAKE_PREFIX_PATH}"
        "-DFEDSTEIN_LEVEL:STRING=${level}"
        "-DFEDSTEIN_REAL:STRING=${FEDSTEIN_REAL}"
        "-DFEDSTEIN_REPORT_PAGE:FILEPATH=${FEDSTEIN_REPORT_PAGE}"
        "-DFEDSTEIN_LIVE_PAGE:FILEPATH=${FEDSTEIN_LIVE_PAGE}"
        "-DFEDSTEIN_UNITY:BOOL=${FEDSTEIN_UNITY}"
        "-DFEDSTEIN_WERROR:BOOL=${FEDSTEIN_WERROR}"
        -DFEDSTEIN_TESTS:BOOL=OFF
        -DFEDSTEIN_EXAMPLES:BOOL=OFF
      BUILD_COMMAND "${CMAKE_COMMAND}" --build "${folder}" --target fedstein
      BUILD_ALWAYS ON
      BUILD_BYPRODUCTS "${folder}/apps/fedstein"
      INSTALL_COMMAND ""
      LOG_CONFIGURE ON LOG_BUILD ON LOG_OUTPUT_ON_FAILURE ON)
    install(PROGRAMS "${folder}/apps/fedstein" DESTINATION "${FEDSTEIN_LEVELS_DIR}/${level}" COMPONENT program)
    set(before fedstein_${level})
  endforeach()
endfunction()
