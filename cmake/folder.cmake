# fedstein_folder(NAME SOURCES ... HEADERS ... [LINK ...] [LINK_PRIVATE ...] [UNITY] [ALONE ...])
#
# One static library per folder of src/fedstein. Which folders it may use is read from layers.txt, the same picture
# that tests/layers checks every #include against: a folder can be linked only as far as the picture allows. What it links
# from outside is looked for here (cmake/outside.cmake), so a build without the folder does not need it.
#
# HEADERS: what other folders may include; api.txt says which of them users may include (cmake/headers.cmake).
# UNITY: nothing here is an inner loop, so a build may compile many sources as one (cmake/unity.cmake), except those that
# ALONE names.
function(fedstein_folder NAME)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "UNITY" "" "SOURCES;HEADERS;LINK;LINK_PRIVATE;ALONE")
  fedstein_find_outside(${NAME} ${ARG_LINK} ${ARG_LINK_PRIVATE})
  add_library(fedstein_${NAME} STATIC ${ARG_SOURCES})
  add_library(fedstein::${NAME} ALIAS fedstein_${NAME})
  set_target_properties(fedstein_${NAME} PROPERTIES EXPORT_NAME ${NAME} POSITION_INDEPENDENT_CODE ON)
  target_compile_features(fedstein_${NAME} PUBLIC cxx_std_20)
  target_include_directories(fedstein_${NAME} PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>" "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_link_libraries(fedstein_${NAME}
    PUBLIC ${ARG_LINK}
    PRIVATE ${ARG_LINK_PRIVATE}
            $<BUILD_INTERFACE:fedstein::warnings> $<BUILD_INTERFACE:fedstein::sanitizers>)

  fedstein_layers_of(${NAME} used)
  foreach(folder IN LISTS used)
    target_link_libraries(fedstein_${NAME} PUBLIC fedstein::${folder})
  endforeach()

  # The headers in a target of their own: all_verify_interface_header_sets compiles each by itself, nothing installs them.
  add_library(fedstein_${NAME}_headers INTERFACE)
  target_sources(fedstein_${NAME}_headers INTERFACE
    FILE_SET HEADERS
    BASE_DIRS "${PROJECT_SOURCE_DIR}/src" "${PROJECT_BINARY_DIR}/generated"
    FILES ${ARG_HEADERS})
  target_link_libraries(fedstein_${NAME}_headers INTERFACE fedstein_${NAME})

  if(NAME STREQUAL "base")
    # Below Eigen: nothing worth precompiling.
  elseif(NAME STREQUAL "numeric")
    target_precompile_headers(fedstein_numeric PRIVATE <Eigen/Dense> <algorithm> <array> <cmath> <cstdint> <functional> <limits>
      <map> <memory> <numeric> <optional> <span> <stdexcept> <string> <string_view> <utility> <variant> <vector>)
  else()
    target_precompile_headers(fedstein_${NAME} REUSE_FROM fedstein_numeric)
  endif()
  if(ARG_UNITY)
    fedstein_unity(fedstein_${NAME} ${ARG_ALONE})
  endif()
  set_property(GLOBAL APPEND PROPERTY FEDSTEIN_FOLDERS ${NAME})
endfunction()
