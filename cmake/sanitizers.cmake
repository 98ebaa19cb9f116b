# fedstein::sanitizers: linked PRIVATE into every target of ours, empty unless FEDSTEIN_SANITIZE names some.

add_library(fedstein_sanitizers INTERFACE)
add_library(fedstein::sanitizers ALIAS fedstein_sanitizers)
if(FEDSTEIN_SANITIZE)
  if("thread" IN_LIST FEDSTEIN_SANITIZE AND "address" IN_LIST FEDSTEIN_SANITIZE)
    message(FATAL_ERROR "FEDSTEIN_SANITIZE: thread and address exclude each other; build twice")
  endif()
  string(REPLACE ";" "," fedstein_sanitize_list "${FEDSTEIN_SANITIZE}")
  target_compile_options(fedstein_sanitizers INTERFACE
    -fsanitize=${fedstein_sanitize_list} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(fedstein_sanitizers INTERFACE -fsanitize=${fedstein_sanitize_list})
endif()

# fedstein::lighter_sanitizers: for the tests' own code. A test at a null pointer ends with a signal anyway, and these checks
# at every access take a quarter of the time that compiling a test takes.
add_library(fedstein_lighter_sanitizers INTERFACE)
add_library(fedstein::lighter_sanitizers ALIAS fedstein_lighter_sanitizers)
if("undefined" IN_LIST FEDSTEIN_SANITIZE)
  target_compile_options(fedstein_lighter_sanitizers INTERFACE
    -fno-sanitize=null,alignment,vptr,object-size,nonnull-attribute,returns-nonnull-attribute)
endif()
