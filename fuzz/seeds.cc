// SPDX-License-Identifier: Apache-2.0
// Writes a few good inputs per fuzzer into FOLDER/READER/: from there the fuzzers need not find the formats by chance.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "../tests/posterior/made_posteriors.h"
#include "../tests/support/matlab_writer.h"
#include "../tests/support/pack.h"
#include "fedstein/posterior/posterior_file.h"
#include "relay_target.h"
#include "table_seeds.h"

namespace fedstein {
namespace {

std::filesystem::path place(const std::filesystem::path& folder, const std::string& reader, int number) {
  std::filesystem::create_directories(folder / reader);
  return folder / reader / ("seed" + std::to_string(number));
}

void write_all(const std::filesystem::path& folder, const std::string& reader, const std::vector<std::string>& inputs) {
  int number = 0;
  for (const std::string& input : inputs) {
    std::ofstream(place(folder, reader, number++), std::ios::binary) << input;
  }
}

void write_matlab(const std::filesystem::path& folder) {
  const std::vector<double> numbers{1.5, 2, 3, -4, 5, 6.25};
  const std::vector<short> labels{1, -1, 1};
  int number = 0;
  for (const bool packed : {false, true}) {
    MatlabWriter file(place(folder, "matlab", number++).string());
    file.add("data", MAT_C_DOUBLE, MAT_T_DOUBLE, std::array<std::size_t, 2>{3, 2}, numbers.data(), packed);
    file.add("z", MAT_C_INT16, MAT_T_INT16, std::array<std::size_t, 2>{3, 1}, labels.data(), packed);
  }
  std::vector<double> imaginary(6, 1.0);
  std::vector<double> real = numbers;
  MatlabWriter odd(place(folder, "matlab", number++).string());
  odd.add_complex("z", {3, 2}, real.data(), imaginary.data());
  odd.add_cell("c");
  odd.add_sparse("data");
  MatlabWriter deep(place(folder, "matlab", number++).string());
  deep.add("data", MAT_C_DOUBLE, MAT_T_DOUBLE, std::array<std::size_t, 3>{1, 2, 3}, numbers.data());
}

// Documents that reach every table; behind a NUL, values of --set.
void write_configurations(const std::filesystem::path& folder) {
  const std::string methods =
      "[[algorithm]]\ntype = \"dsvgd\"\nparticles = 2\ndistillation = \"score\"\n"
      "[[algorithm]]\ntype = \"fedavg\"\nlabel = \"F.A\"\nscheduler = \"fraction\"\nfraction = 0.5\n";
  const std::string named =
      "[experiment]\nname = \"a\"\ndataset = [\"heart\", \"mnist\"]\nagents = 4\ntrials = 2\nclaims = [\"C1\"]\n";
  const std::string variants =
      "[sweep]\nhyperparameters.local_steps = [1, 2]\n\"algorithm.F.A.momentum\" = [0.5]\n"
      "[[case]]\nname = \"b\"\nexperiment.partition = \"dirichlet\"\nsweep.federation.rounds = [3]\n"
      "[quick]\nexperiment.trials = 1\n\"case.b.federation.rounds\" = 2\n";
  const std::string figures =
      "[[figure]]\nkind = \"sweep\"\nmetric = \"accuracy\"\nx = \"local_steps\"\n[[figure]]\nkind = \"reliability\"\n";
  const std::string toy =
      "[experiment]\nname = \"t\"\n[model]\ntype = \"gaussian-mixture-1d\"\nprior = \"normal\"\n"
      "[evaluation]\nkl_bandwidths = [0.1, 0.55]\nksd = true\n[[algorithm]]\ntype = \"pvi\"\n";
  const std::string own =
      "[experiment]\nname = \"o\"\ndataset = \"./x.csv\"\npartition = \"by-column\"\ntest_fraction = 0.3\n"
      "[data]\nlabels = \"regression\"\nseparator = \";\"\ngroup_column = 1\nlabels_from = [1]\nlabels_to = [2]\n";
  const std::string changes = "experiment.seed=3\nalgorithm.F.A.rounds=7\nmodel.intercept=true\n";
  write_all(folder,
            "config",
            {named + methods,
             named + methods + variants,
             named + methods + variants + figures,
             toy,
             own + methods,
             named + methods + variants + std::string(1, '\0') + changes});
}

void write_seeds(const std::filesystem::path& folder) {
  const std::string table = "1,2.5,-3e4\n4,+5,6\n";
  write_all(folder,
            "text",
            {std::string("\0", 1) + table,
             "\1 1 2\t3 \r\n4 5 6",
             "\2" + std::string("1\t2\n3\t4\n"),
             "\4a,b,c\n" + table,
             "\x1c"
             "a;b;c\n1;x;3\n",
             std::string("\0", 1) + gzipped(table),
             std::string("\0", 1) + bzipped(table)});
  const std::string sparse = "+1 1:2596 2:51 54:1\n-1 3:0.5\n2\n";
  write_all(folder, "libsvm", {sparse, "1 1:1\r\n2 2:-6e-3\r\n", gzipped(sparse)});
  const std::string labels("\0\0\x08\1\0\0\0\3\1\2\3", 11);
  const std::string images("\0\0\x08\3\0\0\0\1\0\0\0\2\0\0\0\2\1\2\3\4", 20);
  write_all(folder, "idx", {labels, images, gzipped(images)});
  const std::string leaf =
      R"({"users": ["a", "b"], "num_samples": [2, 1], "hierarchies": [[], {"k": null}],)"
      R"( "user_data": {"b": {"y": [[1]], "x": [[1, 2.5]]}, "a": {"x": [[-3e2, 4], [5, 6]], "y": [0, 1]}}})";
  write_all(folder, "leaf", {leaf, gzipped(leaf)});
  const std::string zeros(100000, '0');
  write_all(folder,
            "unpack",
            {table,
             gzipped(table),
             gzipped(table) + gzipped(labels),
             bzipped(table),
             bzipped(table) + bzipped(""),
             gzipped(zeros),
             bzipped(zeros),
             gzipped(gzipped(table))});
  write_all(folder,
            "posterior",
            {to_bytes(made_binary()),
             to_bytes(made_classes()),
             to_bytes(made_regression()),
             to_bytes(made_remembering()),
             to_bytes(made_laid_out())});
  write_all(folder, "relay", relay_seeds());
  write_all(folder, "table", table_seeds());
  write_all(folder, "table_rows", table_rows_seeds());
  write_matlab(folder);
  write_configurations(folder);
}

}  // namespace
}  // namespace fedstein

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: fuzz_seeds FOLDER\n";
    return 64;
  }
  fedstein::write_seeds(arguments[1]);
  return 0;
}
