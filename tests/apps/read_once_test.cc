// SPDX-License-Identifier: Apache-2.0
// A run reads its data once and opens its store once.
#include <gtest/gtest.h>

#include <filesystem>

#include "apps/program.h"
#include "apps/small_file.h"
#include "support/open_counter.h"

namespace fedstein {
namespace {

std::string own_rows() {
  std::string rows;
  for (int i = 0; i < 60; ++i) {
    rows += std::to_string(i % 13) + "," + std::to_string(i % 7) + "," + (i % 2 == 0 ? "-1" : "1") + "\n";
  }
  return rows;
}

// Two cases and three trials, all of the same file.
std::string own_file() {
  return "[experiment]\nname = \"own\"\npreset = \"paper\"\ndataset = \"rows.csv\"\nagents = 2\npartition = "
         "\"iid\"\ntrials = 3\n"
         "[data]\nlabels_from = [-1, 1]\nlabels_to = [-1, 1]\n[federation]\nrounds = 2\n"
         "[hyperparameters]\nlocal_steps = 2\nparticles = 3\n[[algorithm]]\ntype = \"dsvgd\"\n"
         "[sweep]\nexperiment.test_fraction = [0.2, 0.5]\n";
}

TEST(ReadOnce, ARunOpensItsDataOnceAndItsStoreOnce) {
  const TemporaryFolder folder;
  folder.write("rows.csv", own_rows());
  folder.write("own.toml", own_file());
  // The store is there already: making one is another matter, which SQLite does under another name.
  ASSERT_EQ(fedstein_in(folder, {"run", "own.toml"}).code, 0);
  OpenCounter data(folder.path("."));
  OpenCounter store(folder.path("runs/own"));
  const Finished run = fedstein_in(folder, {"run", "own.toml"});
  ASSERT_EQ(run.code, 0) << run.errors;
  EXPECT_EQ(data.opened("rows.csv"), 1);
  EXPECT_EQ(data.opened("own.toml"), 1);
  EXPECT_EQ(store.opened("store.sqlite"), 1);
}

TEST(ReadOnce, ReproducingOpensItsStoreOnce) {
  const TemporaryFolder folder;
  const std::vector<std::string> words = {
      "reproduce", "toy-1d", "--quick", "--check", "--set", "hyperparameters.local_steps=3"};
  ASSERT_EQ(fedstein_in(folder, words).code, 0);
  OpenCounter store(folder.path("runs/toy-1d-quick"));
  ASSERT_EQ(fedstein_in(folder, words).code, 0);  // reused
  EXPECT_EQ(store.opened("store.sqlite"), 1);
}

}  // namespace
}  // namespace fedstein
