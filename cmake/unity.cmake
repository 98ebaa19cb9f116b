# fedstein_unity(TARGET [ALONE ...]): with FEDSTEIN_UNITY, many sources of the target are compiled as one, so that what they
# include (gRPC, CLI11, nlohmann_json) is read, and its inline functions compiled, once for all of them. Files with the same
# name in their unnamed namespaces cannot be together: the compiler says so, and one of the names has to change.
#
# Only for targets without inner loops. GCC contracts a * b + c to one instruction wherever it inlines, so a computation that
# is compiled beside other code may differ in its last bit; ALONE names the sources for which that matters.
function(fedstein_unity TARGET)
  if(FEDSTEIN_UNITY)
    set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 40)
    set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()
