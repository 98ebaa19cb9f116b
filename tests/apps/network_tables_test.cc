// SPDX-License-Identifier: Apache-2.0
// Agents with tables of their own: each in another dialect and order of columns, and what does not fit.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "apps/network.h"
#include "fedstein/base/check.h"
#include "fedstein/numeric/rng.h"

namespace fedstein {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Patient {
  double age = 0;
  bool has_age = true;
  std::string sex = {};
  double dose = 0;
  bool ill = false;
};

std::vector<Patient> patients(int hospital, int count) {
  Rng rng({.seed = 7, .agent = static_cast<std::uint64_t>(hospital)});
  std::vector<Patient> out;
  for (int row = 0; row < count; ++row) {
    Patient one{.age = std::round(40 * rng.normal() + 500) / 10,
                .has_age = row % 9 != 4,
                .sex = row % 3 == 0 ? "f" : "m",
                .dose = std::round(100 * rng.normal()) / 100};
    one.ill = one.dose + (one.sex == "m" ? 0.5 : -0.5) > 0;
    out.push_back(one);
  }
  return out;
}

std::string number(double value, char decimal) {
  std::string text = to_text(value);
  std::replace(text.begin(), text.end(), '.', decimal);
  return text;
}

std::string whole(const std::vector<std::vector<Patient>>& hospitals) {
  std::string text = "hospital,age,sex,dose,ill\n";
  for (std::size_t k = 0; k < hospitals.size(); ++k) {
    for (const Patient& one : hospitals[k]) {
      text += std::string(1, static_cast<char>('a' + k)) + "," + (one.has_age ? number(one.age, '.') : "") + "," +
              one.sex + "," + number(one.dose, '.') + "," + (one.ill ? "yes" : "no") + "\n";
    }
  }
  return text;
}

// Columns in another order at each; one with semicolons and decimal commas, one with tabs and a column of its own.
std::string file_of(int agent, const std::vector<Patient>& hospital) {
  const char separator = ",;\t"[agent];
  const char decimal = ".,."[agent];
  const std::vector<std::vector<std::string>> orders = {
      {"ill", "age", "sex", "dose"}, {"dose", "sex", "ill", "age"}, {"patient", "age", "dose", "ill", "sex"}};
  std::string text;
  const auto add_line = [&](const auto& cell) {
    const auto& order = orders[static_cast<std::size_t>(agent)];
    for (const std::string& name : order)
      text += (&name == &order.front() ? "" : std::string(1, separator)) + cell(name);
    text += "\n";
  };
  add_line([](const std::string& name) { return name; });
  for (const Patient& one : hospital) {
    add_line([&](const std::string& name) -> std::string {
      if (name == "patient") return "p" + std::to_string(&one - hospital.data());
      if (name == "sex") return one.sex;
      if (name == "ill") return one.ill ? "yes" : "no";
      if (name == "dose") return number(one.dose, decimal);
      return one.has_age ? number(one.age, decimal) : agent == 1 ? "NA" : "";
    });
  }
  return text;
}

constexpr const char* kData =
    "[data]\nlabel = \"ill\"\ngroup = \"hospital\"\ngroups = [\"a\", \"b\", \"c\"]\nmissing = \"impute\"\n"
    "classes = [\"no\", \"yes\"]\ncolumns = [\"age\", \"sex\", \"dose\"]\ncategories = [\"sex=f\", \"sex=m\"]\n"
    "fills = [\"age=50\"]\n";

class NetworkTables : public Network {
 protected:
  static std::string configuration(const std::string& data) {
    std::string text = network_configuration("p-dsvgd", "scaling = \"none\"\n");
    text = std::regex_replace(text, std::regex("\"feature-skew\""), "\"whole.csv\"");
    text = std::regex_replace(text, std::regex("\"iid\""), "\"by-column\"");
    return std::regex_replace(text, std::regex("\\[federation\\]"), data + "[federation]");
  }
  void SetUp() override {
    for (int k = 0; k < 3; ++k) {
      hospitals_.push_back(patients(k, 30 + 5 * k));
      folder_.write("rows-" + std::to_string(k), file_of(k, hospitals_.back()));
    }
    folder_.write("whole.csv", whole(hospitals_));
    folder_.write("net.toml", configuration(kData));
    certify();
  }
  std::vector<std::string> data_of(int k) const {
    std::vector<std::string> out{"--data", "rows-" + std::to_string(k), "--test-data", "rows-" + std::to_string(k)};
    if (k == 2) out.insert(out.end(), {"--ignore", "patient"});
    return out;
  }

  std::vector<std::vector<Patient>> hospitals_;
};

TEST_F(NetworkTables, ParityWithOneProcessOnThePooledFile) {
  const std::string run = std::regex_replace(
      configuration(std::string(kData) + "test = \"whole.csv\"\n"), std::regex("\\[server\\][^]*"), "");
  folder_.write("run.toml", run);
  const Finished local = fedstein_in(folder_, {"run", "run.toml", "--folder", "runs"});
  ASSERT_EQ(local.code, 0) << local.errors;
  // No server needs the pooled file.
  std::filesystem::remove(folder_.path("whole.csv"));
  run_to_the_end([this](int k) { return data_of(k); });
  EXPECT_TRUE(particles_in("state/store.sqlite") == particles_in("runs/store.sqlite"));
}

TEST_F(NetworkTables, WhatDoesNotFitIsOneSentenceAtTheAgentAndAWordAtTheServer) {
  const auto server = start_server();
  const auto expect_refusal = [&](const std::string& text, const std::string& part) {
    folder_.write("wrong", text);
    const auto agent = start_agent(0, {"--data", "wrong"});
    EXPECT_EQ(agent->wait(), 65);
    const std::string said = read_text(folder_.path("agent-0.err"));
    EXPECT_THAT(said, StartsWith("fedstein: wrong:"));
    EXPECT_THAT(said, HasSubstr(part));
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  };
  expect_refusal("age,dose,ill\n20,1.5,yes\n30,1,no\n", "wrong:1: there is no column 'sex'");
  expect_refusal("age,sex,dose,ill\n20,f,1.5,yes\n30,unsaid,1,no\n",
                 "wrong:3: column 'sex': found 'unsaid'; expected one of 'f', 'm'");
  expect_refusal("sex,age,dose,ill\n20,f,1.5,yes\n30,m,1,no\n", "wrong:2: column 'age': found 'f'; expected a number");
  expect_refusal("20,f,1.5,yes\n30,m,1,no\n", "wrong:1: the first line holds no names");
  ASSERT_EQ(mkfifo(folder_.path("pipe").c_str(), 0600), 0);
  const auto agent = start_agent(0, {"--data", "pipe"});
  EXPECT_EQ(agent->wait(), 66);
  const std::string log = read_text(folder_.path("server.err"));
  EXPECT_THAT(log, HasSubstr("agent-0"));
  EXPECT_THAT(log, HasSubstr("it cannot take part: its file does not fit this federation's table [data]"));
  // What stood in the file is nobody else's business.
  EXPECT_EQ(log.find("unsaid"), std::string::npos);
}

TEST_F(NetworkTables, AServerThatCannotKnowTheColumnsSaysWhereToLook) {
  folder_.write("bare.toml", configuration("[data]\nlabel = \"ill\"\ngroup = \"hospital\"\n"));
  const Finished bare = fedstein_in(folder_, {"serve", "bare.toml"});
  EXPECT_EQ(bare.code, 78);
  EXPECT_THAT(bare.errors, HasSubstr("`fedstein data describe FILE` at an agent prints the table to paste"));
  folder_.write("paths.toml", configuration(std::string(kData) + "test = \"whole.csv\"\n"));
  const Finished paths = fedstein_in(folder_, {"serve", "paths.toml"});
  EXPECT_EQ(paths.code, 78);
  EXPECT_THAT(paths.errors, HasSubstr("data.test is 'whole.csv'"));
}

}  // namespace
}  // namespace fedstein
