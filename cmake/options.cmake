# Every switch of the build. Tests, apps and the like are on only when fedstein is the project being built.

set(FEDSTEIN_REAL "float" CACHE STRING "Scalar type of the whole build: float or double")
set_property(CACHE FEDSTEIN_REAL PROPERTY STRINGS float double)
if(NOT FEDSTEIN_REAL MATCHES "^(float|double)$")
  message(FATAL_ERROR "FEDSTEIN_REAL is '${FEDSTEIN_REAL}'; allowed: float, double")
endif()

option(FEDSTEIN_NATIVE "Use every instruction of this machine's processor; consumers get the same flag" OFF)
option(FEDSTEIN_WERROR "Treat warnings as errors" OFF)
option(FEDSTEIN_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(FEDSTEIN_APPS "Build the programs" ${PROJECT_IS_TOP_LEVEL})
option(FEDSTEIN_EXAMPLES "Build the examples" ${PROJECT_IS_TOP_LEVEL})
option(FEDSTEIN_BENCHMARKS "Build the benchmarks" OFF)
option(FEDSTEIN_FUZZ "Build the fuzzers; needs clang, see the preset fuzz" OFF)
set(FEDSTEIN_SANITIZE "" CACHE STRING "Sanitizers, e.g. address;undefined or thread")
