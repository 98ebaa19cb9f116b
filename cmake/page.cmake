# The report's page: web/ built by Node into one HTML file, and that file as a C++ source. Only the build needs Node.
#
# FEDSTEIN_REPORT_PAGE names a page that was built elsewhere, for machines without Node or without a registry.
set(FEDSTEIN_REPORT_PAGE "" CACHE FILEPATH "A built web/dist/report.html; empty: build it with Node.js")

# All builds of this source tree share one page and one folder of packages.
function(fedstein_build_page OUT)
  find_program(FEDSTEIN_NODE NAMES node nodejs)
  find_program(FEDSTEIN_NPM NAMES npm)
  if(NOT FEDSTEIN_NODE OR NOT FEDSTEIN_NPM)
    message(FATAL_ERROR "The report's page is built with Node.js (18 or newer) and npm, which were not found. "
      "Install them (Debian: nodejs npm; scripts/install-packages does), or give a page that was built elsewhere: "
      "-DFEDSTEIN_REPORT_PAGE=report.html")
  endif()
  execute_process(COMMAND "${FEDSTEIN_NODE}" --version OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT version MATCHES "^v([0-9]+)" OR CMAKE_MATCH_1 LESS 18)
    message(FATAL_ERROR "The report's page is built with Node.js 18 or newer; ${FEDSTEIN_NODE} is '${version}'.")
  endif()
  set(web "${PROJECT_SOURCE_DIR}/web")
  set(packages "${web}/node_modules/.package-lock.json")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${web}/src/*" "${web}/build/*")
  add_custom_command(OUTPUT "${packages}"
    COMMAND "${CMAKE_COMMAND}" -DNPM=${FEDSTEIN_NPM} -DWEB=${web} -P "${PROJECT_SOURCE_DIR}/cmake/page_packages.cmake"
    DEPENDS "${web}/package.json" "${web}/package-lock.json"
    COMMENT "Packages of the report's page" VERBATIM)
  add_custom_command(OUTPUT "${web}/dist/report.html"
    COMMAND "${FEDSTEIN_NPM}" run --silent build -- --logLevel warn
    DEPENDS "${packages}" "${web}/report.html" "${web}/vite.config.js" ${sources}
    WORKING_DIRECTORY "${web}" COMMENT "The report's page" VERBATIM)
  set(${OUT} "${web}/dist/report.html" PARENT_SCOPE)
endfunction()

function(fedstein_embed_page SOURCE)
  find_program(FEDSTEIN_NPM NAMES npm)
  if(FEDSTEIN_REPORT_PAGE)
    set(page "${FEDSTEIN_REPORT_PAGE}")
  elseif(FEDSTEIN_PYTHON_WHEEL AND NOT FEDSTEIN_NPM)
    # Whoever runs `pip install .` wants Python: runs are read, and only their report says what it lacks.
    message(WARNING "Node.js and npm were not found: this package will have no report page")
    set(page "${PROJECT_SOURCE_DIR}/web/absent.html")
  else()
    fedstein_build_page(page)
  endif()
  add_custom_command(OUTPUT "${SOURCE}"
    COMMAND "${CMAKE_COMMAND}" -DPAGE=${page} -DSOURCE=${SOURCE} -P "${PROJECT_SOURCE_DIR}/cmake/page_source.cmake"
    DEPENDS "${page}" "${PROJECT_SOURCE_DIR}/cmake/page_source.cmake"
    COMMENT "The report's page as a source" VERBATIM)
endfunction()
