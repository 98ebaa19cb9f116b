# The pages, report and live: web/ built by Node into one HTML file each, and that file as a C++ source. Only the build
# needs Node.
#
# FEDSTEIN_REPORT_PAGE and FEDSTEIN_LIVE_PAGE name pages that were built elsewhere, for machines without Node or without
# a registry.
set(FEDSTEIN_REPORT_PAGE "" CACHE FILEPATH "A built web/dist/report.html; empty: build it with Node.js")
set(FEDSTEIN_LIVE_PAGE "" CACHE FILEPATH "A built web/dist/live.html; empty: build it with Node.js")

# All builds of this source tree share the pages and one folder of packages.
function(fedstein_build_page NAME OUT)
  find_program(FEDSTEIN_NODE NAMES node nodejs)
  find_program(FEDSTEIN_NPM NAMES npm)
  if(NOT FEDSTEIN_NODE OR NOT FEDSTEIN_NPM)
    message(FATAL_ERROR "The pages are built with Node.js (18 or newer) and npm, which were not found. "
      "Install them (Debian: nodejs npm; scripts/install-packages does), or give a page that was built elsewhere: "
      "-DFEDSTEIN_REPORT_PAGE=report.html -DFEDSTEIN_LIVE_PAGE=live.html")
  endif()
  execute_process(COMMAND "${FEDSTEIN_NODE}" --version OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT version MATCHES "^v([0-9]+)" OR CMAKE_MATCH_1 LESS 18)
    message(FATAL_ERROR "The pages are built with Node.js 18 or newer; ${FEDSTEIN_NODE} is '${version}'.")
  endif()
  set(web "${PROJECT_SOURCE_DIR}/web")
  set(packages "${web}/node_modules/.package-lock.json")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${web}/src/*" "${web}/build/*")
  get_property(asked GLOBAL PROPERTY FEDSTEIN_PAGE_PACKAGES)
  if(NOT asked)  # one rule for one file
    set_property(GLOBAL PROPERTY FEDSTEIN_PAGE_PACKAGES ON)
    add_custom_command(OUTPUT "${packages}"
      COMMAND "${CMAKE_COMMAND}" -DNPM=${FEDSTEIN_NPM} -DWEB=${web} -P "${PROJECT_SOURCE_DIR}/cmake/page_packages.cmake"
      DEPENDS "${web}/package.json" "${web}/package-lock.json"
      COMMENT "Packages of the pages" VERBATIM)
  endif()
  add_custom_command(OUTPUT "${web}/dist/${NAME}.html"
    COMMAND "${FEDSTEIN_NPM}" run --silent build-${NAME} -- --logLevel warn
    DEPENDS "${packages}" "${web}/${NAME}.html" "${web}/vite.config.js" ${sources}
    WORKING_DIRECTORY "${web}" COMMENT "The page ${NAME}" VERBATIM)
  set(${OUT} "${web}/dist/${NAME}.html" PARENT_SCOPE)
endfunction()

# The page NAME as the function NAME_template() of a source of src/fedstein/FOLDER, which has NAME_template.h.
function(fedstein_embed_page NAME SOURCE)
  find_program(FEDSTEIN_NPM NAMES npm)
  string(TOUPPER "FEDSTEIN_${NAME}_PAGE" built_elsewhere)
  if(${built_elsewhere})
    set(page "${${built_elsewhere}}")
  elseif(FEDSTEIN_PYTHON_WHEEL AND NOT FEDSTEIN_NPM)
    # Whoever runs `pip install .` wants Python: runs are read, and only their report says what it lacks.
    message(WARNING "Node.js and npm were not found: this package will have no report page")
    set(page "${PROJECT_SOURCE_DIR}/web/absent.html")
  else()
    fedstein_build_page(${NAME} page)
  endif()
  add_custom_command(OUTPUT "${SOURCE}"
    COMMAND "${CMAKE_COMMAND}" -DPAGE=${page} -DSOURCE=${SOURCE} -DNAME=${NAME}
            -P "${PROJECT_SOURCE_DIR}/cmake/page_source.cmake"
    DEPENDS "${page}" "${PROJECT_SOURCE_DIR}/cmake/page_source.cmake"
    COMMENT "The page ${NAME} as a source" VERBATIM)
endfunction()
