# cmake -DNPM=... -DWEB=... -P: installs the page's packages, unless they are as new as the list of them. Every build
# folder asks; one of them does the work.
set(done "${WEB}/node_modules/.package-lock.json")
if(EXISTS "${done}" AND NOT "${WEB}/package-lock.json" IS_NEWER_THAN "${done}")
  file(TOUCH "${done}")
  return()
endif()
execute_process(COMMAND "${NPM}" ci --no-audit --no-fund --loglevel=error
  WORKING_DIRECTORY "${WEB}" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE said)
if(failed)
  message(FATAL_ERROR "npm ci failed in ${WEB}:\n${said}"
    "Without a registry, give pages that were built elsewhere: "
    "-DFEDSTEIN_REPORT_PAGE=report.html -DFEDSTEIN_LIVE_PAGE=live.html")
endif()
file(TOUCH "${done}")
