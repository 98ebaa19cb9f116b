# The extension modules of the Python package, compiled with nanobind for the stable ABI of Python 3.11: one file serves every
# later version. FEDSTEIN_PYTHON asks for them; pip's build (pyproject.toml) sets it, and scripts/python-build for our own builds.
#
# A module holds the library for one precision and one level of instructions, and shows its entry point only: two of them
# work in one process without seeing each other's functions.

find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
execute_process(COMMAND "${Python_EXECUTABLE}" -m nanobind --cmake_dir
  OUTPUT_VARIABLE nanobind_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE without_nanobind ERROR_QUIET)
if(without_nanobind)
  message(FATAL_ERROR "FEDSTEIN_PYTHON is on, but ${Python_EXECUTABLE} has no package 'nanobind'. "
    "Install it (pip install nanobind nanobind-backend), or name another Python: -DPython_EXECUTABLE=...")
endif()
find_package(nanobind CONFIG REQUIRED)

set(FEDSTEIN_PYTHON_SYMBOLS "${CMAKE_CURRENT_LIST_DIR}/python_symbols.map")

# fedstein_python_module(NAME SOURCES... [LINK ...])
function(fedstein_python_module NAME)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "LINK")
  nanobind_add_module(${NAME} BACKEND_MODULE nanobind_backend STABLE_ABI_VERSION 3.11 NOMINSIZE PROTECT_STACK NB_SUPPRESS_WARNINGS
    NB_DOMAIN fedstein${NAME} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${NAME} PRIVATE ${ARG_LINK} fedstein::warnings fedstein::sanitizers)
  target_compile_features(${NAME} PRIVATE cxx_std_20)
  target_compile_definitions(${NAME} PRIVATE FEDSTEIN_MODULE=${NAME} FEDSTEIN_VERSION="${PROJECT_VERSION}"
    FEDSTEIN_BUILT_FOR="${FEDSTEIN_BUILT_FOR}")
  target_link_options(${NAME} PRIVATE "LINKER:--version-script=${FEDSTEIN_PYTHON_SYMBOLS}" LINKER:--as-needed)
  set_target_properties(${NAME} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/python" LINK_DEPENDS "${FEDSTEIN_PYTHON_SYMBOLS}")
endfunction()
