// SPDX-License-Identifier: Apache-2.0
// The files of a Flower app, and what is refused before one is written. tests/apps and python/tests/flower have the two
// commands.
#include "fedstein/relay/flower_app.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "fedstein/config/parse.h"
#include "fedstein/files/file_error.h"
#include "fedstein/files/missing_input.h"
#include "support/process.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExperiment =
    "[experiment]\nname = \"hospitals\"\ndataset = \"rows.csv\"\nagents = 2\ntrials = 1\nscaling = \"none\"\n"
    "[federation]\nrounds = 2\n[[algorithm]]\ntype = \"c-dsvgd\"\n[server]\nfeatures = 3\n";

class FlowerApp : public testing::Test {
 protected:
  FlowerAppOptions options(const std::string& folder) const {
    return {.folder = folder_.path(folder), .experiment = experiment_};
  }
  std::string text(const std::string& file) const { return read_text(folder_.path(file)); }
  // Nothing stays of an app that was refused.
  template <typename Refusal>
  void expect_refused(const FlowerAppOptions& given, const std::string& words) const {
    EXPECT_THROW_MESSAGE(write_flower_app(given), Refusal, words);
    EXPECT_FALSE(fs::exists(given.folder));
  }

  TemporaryFolder folder_;
  std::string experiment_ = folder_.write("experiment.toml", kExperiment);
};

TEST_F(FlowerApp, HasFourFiles) {
  const std::vector<std::string> lines = write_flower_app(options("My  Hospitals!"));
  EXPECT_EQ(lines.back(), "flwr run " + folder_.path("My  Hospitals!"));
  EXPECT_EQ(text("My  Hospitals!/app_my_hospitals/experiment.toml"), kExperiment);
  EXPECT_EQ(text("My  Hospitals!/app_my_hospitals/__init__.py"), "");
  EXPECT_EQ(text("My  Hospitals!/app_my_hospitals/app.py"),
            "\"\"\"A federation of fedstein on Flower.\"\"\"\n\nfrom pathlib import Path\n\n"
            "from fedstein.flower import client_app, server_app\n\n"
            "experiment = Path(__file__).with_name(\"experiment.toml\")\n"
            "server = server_app(experiment)\nclient = client_app(experiment)\n");
  const std::string project = text("My  Hospitals!/pyproject.toml");
  EXPECT_NE(project.find("name = \"my-hospitals\"\n"), std::string::npos) << project;
  EXPECT_NE(project.find("serverapp = \"app_my_hospitals.app:server\"\n"), std::string::npos);
  EXPECT_NE(project.find("state = \"" + folder_.path("My  Hospitals!/state") + "\""), std::string::npos);
  EXPECT_EQ(project.find('@'), std::string::npos) << "nothing is left to fill in";
}

TEST_F(FlowerApp, TakesAnEmptyFolderAndPathsWithQuotes) {
  fs::create_directory(folder_.path("app"));
  FlowerAppOptions given = options("app/");
  given.state = folder_.path("a \"state\" @name@ \\ of ours");
  write_flower_app(given);
  const std::string project = text("app/pyproject.toml");
  EXPECT_NE(project.find("/a \\\"state\\\" @name@ \\\\ of ours\""), std::string::npos) << project;
  EXPECT_NE(project.find("name = \"app\"\n"), std::string::npos);
}

TEST_F(FlowerApp, IsNeverWrittenOver) {
  write_flower_app(options("app"));
  EXPECT_THROW_MESSAGE(
      write_flower_app(options("app")), AlreadyThere, "is there already; name a folder that is new or empty");
  const std::string file = folder_.write("file", "a user's\n");
  EXPECT_THROW_MESSAGE(write_flower_app(options("file")), AlreadyThere, "is there already");
  EXPECT_EQ(read_text(file), "a user's\n");
}

TEST_F(FlowerApp, RefusesWithASentence) {
  FlowerAppOptions given = options("app");
  given.experiment = folder_.path("absent.toml");
  expect_refused<MissingInput>(given, "absent.toml");
  given.experiment = folder_.write("wrong.toml", std::string(kExperiment) + "quorums = 2\n");
  expect_refused<BadConfiguration>(given, "did you mean");
  given.experiment = folder_.write("bytes.toml", "\xff\xfe = 1\n");
  expect_refused<BadConfiguration>(given, "bytes.toml");
  given = options("app");
  for (const char* const publisher : {"", "A B", "-a", "a-", "a--b", "\xc3\xa4"}) {
    given.publisher = publisher;
    expect_refused<InvalidArgument>(given, "allowed: small letters and digits, with - between them");
  }
  given = options("app");
  given.state = folder_.path("new\nline");
  expect_refused<InvalidArgument>(given, "holds a character that no configuration can hold");
  given.state = folder_.path("latin \xe4");
  expect_refused<InvalidArgument>(given, "holds a character that no configuration can hold");
}

TEST_F(FlowerApp, CarriesModelsAndMethodsOfTheUsers) {
  const std::string parts = folder_.write("parts.py", "model = 1\nmethod = 2\n");
  FlowerAppOptions given = options("app");
  given.model = FlowerSource{parts, "model"};
  given.method = FlowerSource{parts, "method"};
  write_flower_app(given);
  EXPECT_EQ(text("app/app_app/parts.py"), "model = 1\nmethod = 2\n");
  const std::string module = text("app/app_app/app.py");
  EXPECT_NE(module.find("from .parts import model as own_model\nfrom .parts import method as own_method\n"),
            std::string::npos)
      << module;
  EXPECT_NE(module.find("client = client_app(experiment, model=own_model, method=own_method)\n"), std::string::npos);

  given = options("other");
  for (const char* const file : {"app.py", "2.py", "a b.py", "parts.txt"}) {
    given.model = FlowerSource{folder_.write(file, ""), "model"};
    expect_refused<InvalidArgument>(given, "allowed: a file NAME.py");
  }
  given.model = FlowerSource{parts, "model, os"};
  expect_refused<InvalidArgument>(given, "allowed: letters, digits and _");
  given.model = FlowerSource{folder_.path("none.py"), "model"};
  expect_refused<MissingInput>(given, "none.py");
  fs::create_directory(folder_.path("beside"));
  given.model = FlowerSource{parts, "model"};
  given.method = FlowerSource{folder_.write("beside/parts.py", ""), "method"};
  expect_refused<InvalidArgument>(given, "have one name; in the app each file needs its own");
}

}  // namespace
}  // namespace fedstein
