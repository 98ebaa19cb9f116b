# cmake -DPAGE=... -DSOURCE=... -DNAME=... -P: an HTML file as a C++ source. NAME: report or live, which is its folder too.
file(READ "${PAGE}" text)
# What shows that it is the page asked for: a report has a place for its data.
set(mark_report "__FEDSTEIN_DATA__")
set(mark_live "connect-src 'self'")
string(FIND "${text}" "${mark_${NAME}}" first)
string(FIND "${text}" "${mark_${NAME}}" last REVERSE)
if(first EQUAL -1 OR NOT first EQUAL last)
  message(FATAL_ERROR "${PAGE} is not fedstein's page ${NAME}: ${mark_${NAME}} must stand in it exactly once")
endif()
string(FIND "${text}" ")page\"" end)
if(NOT end EQUAL -1)
  message(FATAL_ERROR "${PAGE} contains )page\", which would end the literal that holds it")
endif()
set(header "${NAME}_template")
file(WRITE "${SOURCE}" "// Generated from web/ by CMake.
#include \"fedstein/${NAME}/${header}.h\"

namespace fedstein {

std::string_view ${header}() {
  return R\"page(${text})page\";
}

}  // namespace fedstein
")
