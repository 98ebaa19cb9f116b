# cmake -DPAGE=... -DSOURCE=... -P: an HTML file as a C++ source.
file(READ "${PAGE}" text)
string(FIND "${text}" "__FEDSTEIN_DATA__" first)
string(FIND "${text}" "__FEDSTEIN_DATA__" last REVERSE)
if(first EQUAL -1 OR NOT first EQUAL last)
  message(FATAL_ERROR "${PAGE} is not a page of fedstein's: __FEDSTEIN_DATA__ must stand in it exactly once")
endif()
string(FIND "${text}" ")page\"" end)
if(NOT end EQUAL -1)
  message(FATAL_ERROR "${PAGE} contains )page\", which would end the literal that holds it")
endif()
file(WRITE "${SOURCE}" "// Generated from web/ by CMake.
#include \"fedstein/report/page_template.h\"

namespace fedstein {

std::string_view page_template() {
  return R\"page(${text})page\";
}

}  // namespace fedstein
")
