# The extension modules of the Python package, compiled with nanobind for the stable ABI of Python 3.11: one file serves every
# later version. FEDSTEIN_PYTHON asks for them; pip's build (pyproject.toml) sets it, and scripts/python-build for our own builds.
#
# A module holds the library for one precision and one level of instructions, and shows its entry point only: two of them
# work in one process without seeing each other's functions. One build of this project has one precision and one level; the
# others of a wheel are builds inside this one's folder, one after another, because each of them uses all cores.
#
#   FEDSTEIN_PYTHON_WHEEL   levels: a wheel for every x86-64 processor, with modules for the better ones
#                           this: for the precisions of this build's level only (pip install .)
#                           empty: the modules of this build alone

set(FEDSTEIN_PYTHON_WHEEL "" CACHE STRING "What a wheel holds: levels, this, or nothing")

find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
execute_process(COMMAND "${Python_EXECUTABLE}" -m nanobind --cmake_dir
  OUTPUT_VARIABLE nanobind_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE without_nanobind ERROR_QUIET)
if(without_nanobind)
  message(FATAL_ERROR "FEDSTEIN_PYTHON is on, but ${Python_EXECUTABLE} has no package 'nanobind'. "
    "Install it (pip install nanobind nanobind-backend), or name another Python: -DPython_EXECUTABLE=...")
endif()
unset(nanobind_DIR CACHE)  # another Python has another one
find_package(nanobind CONFIG REQUIRED)

# What a core module is linked with: other precisions' builds need this folder and what it uses, no more.
set(FEDSTEIN_PYTHON_CORE relay)

set(FEDSTEIN_PYTHON_SYMBOLS "${CMAKE_CURRENT_LIST_DIR}/python_symbols.map")

function(fedstein_shows_entry_only NAME)
  target_compile_features(${NAME} PRIVATE cxx_std_20)
  target_link_libraries(${NAME} PRIVATE fedstein::warnings fedstein::sanitizers)
  target_link_options(${NAME} PRIVATE "LINKER:--version-script=${FEDSTEIN_PYTHON_SYMBOLS}" LINKER:--as-needed)
  set_target_properties(${NAME} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/python" LINK_DEPENDS "${FEDSTEIN_PYTHON_SYMBOLS}")
endfunction()

# fedstein_python_module(NAME SOURCES... [LINK ...])
function(fedstein_python_module NAME)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "LINK")
  nanobind_add_module(${NAME} BACKEND_MODULE nanobind_backend STABLE_ABI_VERSION 3.11 NOMINSIZE PROTECT_STACK NB_SUPPRESS_WARNINGS
    NB_DOMAIN fedstein${NAME} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${NAME} PRIVATE ${ARG_LINK})
  fedstein_shows_entry_only(${NAME})
  target_compile_definitions(${NAME} PRIVATE FEDSTEIN_MODULE=${NAME} FEDSTEIN_VERSION="${PROJECT_VERSION}"
    FEDSTEIN_BUILT_FOR="${FEDSTEIN_BUILT_FOR}")
endfunction()

# fedstein._cpu, which chooses among levels: no library of ours behind it, it must run on every processor.
function(fedstein_cpu_module)
  Python_add_library(_cpu MODULE "${PROJECT_SOURCE_DIR}/python/bindings/cpu.cc" "${PROJECT_SOURCE_DIR}/apps/cpu_levels.cc")
  target_include_directories(_cpu PRIVATE "${PROJECT_SOURCE_DIR}/apps")
  target_compile_definitions(_cpu PRIVATE Py_LIMITED_API=0x030B0000)
  set_target_properties(_cpu PROPERTIES SUFFIX .abi3.so CXX_EXTENSIONS ON CXX_VISIBILITY_PRESET hidden)
  fedstein_shows_entry_only(_cpu)
endfunction()

function(fedstein_level_folder OUT LEVEL)
  string(REPLACE "-" "_" folder "${LEVEL}")
  set(${OUT} "fedstein/_levels/${folder}" PARENT_SCOPE)
endfunction()

# Modules that another build of this project makes, after TARGET.
function(fedstein_modules_elsewhere REAL LEVEL AFTER)
  include(ExternalProject)
  set(name python_${REAL}_${LEVEL})
  set(folder "${PROJECT_BINARY_DIR}-${name}")  # beside it, not inside: the compiler cache then knows what other builds compiled
  set(native OFF)
  set(level "${LEVEL}")
  if(LEVEL STREQUAL "native")
    set(native ON)
    set(level "")
  elseif(NOT LEVEL IN_LIST FEDSTEIN_BETTER_LEVELS)
    set(level "")
  endif()
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  ExternalProject_Add(${name}
    PREFIX "${PROJECT_BINARY_DIR}/elsewhere"
    SOURCE_DIR "${PROJECT_SOURCE_DIR}"
    BINARY_DIR "${folder}"
    DEPENDS ${AFTER}
    LIST_SEPARATOR |
    CMAKE_CACHE_ARGS
      "-DCMAKE_BUILD_TYPE:STRING=${CMAKE_BUILD_TYPE}"
      "-DCMAKE_CXX_COMPILER:FILEPATH=${CMAKE_CXX_COMPILER}"
      "-DCMAKE_CXX_FLAGS:STRING=${CMAKE_CXX_FLAGS}"
      "-DCMAKE_CXX_FLAGS_${type}:STRING=${CMAKE_CXX_FLAGS_${type}}"
      "-DCMAKE_PREFIX_PATH:STRING=${CMAKE_PREFIX_PATH}"
      "-DFEDSTEIN_COMPONENTS:STRING=${FEDSTEIN_PYTHON_CORE}"
      "-DFEDSTEIN_LEVEL:STRING=${level}"
      "-DFEDSTEIN_MATIO:BOOL=${FEDSTEIN_MATIO}"
      "-DFEDSTEIN_NATIVE:BOOL=${native}"
      "-DFEDSTEIN_REAL:STRING=${REAL}"
      "-DFEDSTEIN_UNITY:BOOL=${FEDSTEIN_UNITY}"
      "-DFEDSTEIN_WERROR:BOOL=${FEDSTEIN_WERROR}"
      "-DPython_EXECUTABLE:FILEPATH=${Python_EXECUTABLE}"
      -DFEDSTEIN_PYTHON:BOOL=ON
    BUILD_COMMAND "${CMAKE_COMMAND}" --build "${folder}"
    BUILD_ALWAYS ON
    INSTALL_COMMAND ""
    LOG_CONFIGURE ON LOG_BUILD ON LOG_OUTPUT_ON_FAILURE ON)
  fedstein_level_folder(into "${LEVEL}")
  if(REAL STREQUAL "double")
    install(PROGRAMS "${folder}/python/_core_f64.abi3.so" DESTINATION "${into}" COMPONENT python)
  else()
    install(PROGRAMS "${folder}/python/_core_f32.abi3.so" DESTINATION "${into}" COMPONENT python)
  endif()
endfunction()

# What goes into the wheel: these modules, those of the other precision, and those of the better levels.
function(fedstein_install_modules)
  if(NOT FEDSTEIN_PYTHON_WHEEL)
    return()
  endif()
  fedstein_level_folder(into "${FEDSTEIN_BUILT_FOR}")
  install(TARGETS ${ARGN} LIBRARY DESTINATION "${into}" COMPONENT python)
  install(TARGETS _cpu LIBRARY DESTINATION fedstein COMPONENT python)
  list(GET ARGN 0 before)
  if(TARGET _runs)
    set(before _runs)
  endif()
  fedstein_modules_elsewhere(double "${FEDSTEIN_BUILT_FOR}" ${before})
  if(FEDSTEIN_PYTHON_WHEEL STREQUAL "levels" AND FEDSTEIN_IS_X86_64 AND NOT FEDSTEIN_NATIVE)
    set(before python_double_${FEDSTEIN_BUILT_FOR})
    foreach(level IN LISTS FEDSTEIN_BETTER_LEVELS)
      foreach(real IN ITEMS float double)
        fedstein_modules_elsewhere(${real} ${level} ${before})
        set(before python_${real}_${level})
      endforeach()
    endforeach()
  endif()
endfunction()
