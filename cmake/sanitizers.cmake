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
