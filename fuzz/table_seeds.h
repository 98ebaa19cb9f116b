// SPDX-License-Identifier: Apache-2.0
// Tables as people have them: the fuzzers' first inputs, and those of the test that runs their bodies.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fedstein {

// Four bytes of options stand in front, of which 0x07 in the first and the third leave most to the file.
inline std::vector<std::string> table_seeds() {
  std::vector<std::string> out;
  const auto add = [&](std::string_view options, std::string_view text) {
    std::string& seed = out.emplace_back(options);
    seed.append(text);
  };
  constexpr std::string_view kOpen("\x07\0\x07\0", 4);
  constexpr std::string_view kDrop("\x07\x04\x07\0", 4);
  constexpr std::string_view kImpute("\x07\x08\x07\0", 4);
  constexpr std::string_view kGrouped("\x07\0\x07\x01", 4);
  constexpr std::string_view kCounts("\x07\0\x03\0", 4);
  constexpr std::string_view kClasses("\x07\0\x0f\0", 4);
  constexpr std::string_view kCodes("\x01\x10\x07\x50", 4);
  add(kOpen, "age,sex,ill\n20,m,yes\n30,f,no\n25,m,yes\n41,f,no\n");
  add(kOpen, "1,2.5,-3e4\n4,+5,6\n7,8,9.25\n1,2,3\n");
  add(kOpen, "a;b;c\r\n1,5;x;1\r\n2,5;y;0\r\n\r\n# a comment\r\n3;x;1\r\n");
  add(kOpen,
      "\xef\xbb\xbf"
      "a\tb\n\"one \"\"1\"\"\"\t1\n\"two\nlines\"\t2\n\"one \"\"1\"\"\"\t3\n");
  add(kOpen, "1 2 3\n 4  5\t6 \n7 8 9\n");
  add(kOpen, "2019,2020,2021,label\n1,5,2,x\n3,9,4,y\n5,1,6,x\n7,2,8,y\n");
  add(kOpen, "a,b,\n1,2,\n3,4,\n5,7,\n");
  add(kOpen, "t,y\n1700000000,1.5\n1700000001,2.5\n1700000002,9\n");
  add(kDrop, "a,b,y\n1,x,0\nNA,z,1\n3,,1\n4,x,1\n5,w,0\n2,w,?\n");
  add(kImpute, "a,b,y\n1,x,0\nNA,z,1\n3,,1\n4,x,1\n5,nan,0\n2,w,1\n");
  add(kGrouped, "x,site,y\n1,a,0.5\n2,b,0.7\n3,a,0.1\n4,b,9\n");
  add(kClasses, "x,y\n1,0\n2,1\n3,1.0\n");
  add(kCounts, "x,y\n1,0\n2,12\n3,7\n");
  add(kCodes, "1;2;3;4;5\n1;3;x;5;6\n2;3;y;4;9\n");
  return out;
}

// Of the other fuzzer: the size of the pieces, a table, and, behind a NUL, rows for it.
inline std::vector<std::string> table_rows_seeds() {
  std::vector<std::string> out;
  const std::vector<std::string> tables = table_seeds();
  const auto add = [&](char piece, const std::string& table, std::string_view rows) {
    std::string& seed = out.emplace_back();
    seed.push_back(piece);
    seed.append(table);
    if (rows.empty()) return;
    seed.push_back('\0');
    seed.append(rows);
  };
  for (std::size_t i = 0; i < tables.size(); ++i) add(static_cast<char>(i), tables[i], "");
  add('\3', tables[0], "sex,age\nm,20\nx,30\nf,\nm\n# no row\n\n\"f\",\"4\"\"1\"\nf,41\n");
  add('\3', tables[0], "age\tsex\n20\tm\n\"3\n0\"\tf\n\"never closed\n20\tm\n");
  add('\1', tables[1], "1,2\n3,4,5\n6,7\n");
  return out;
}

}  // namespace fedstein
