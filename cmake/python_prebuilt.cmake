# A wheel of modules that are built already, for the gate: FEDSTEIN_PYTHON_PREBUILT names folders that hold them, as
# scripts/python-build fills them. Nothing is compiled.
foreach(folder IN LISTS FEDSTEIN_PYTHON_PREBUILT)
  if(NOT IS_DIRECTORY "${folder}")
    message(FATAL_ERROR "FEDSTEIN_PYTHON_PREBUILT names ${folder}, which is no folder")
  endif()
  install(DIRECTORY "${folder}/" DESTINATION fedstein/_levels/native COMPONENT python FILES_MATCHING PATTERN "*.abi3.so"
    PATTERN "_cpu*" EXCLUDE)
  install(DIRECTORY "${folder}/" DESTINATION fedstein COMPONENT python FILES_MATCHING PATTERN "_cpu.abi3.so")
endforeach()
