// SPDX-License-Identifier: Apache-2.0
// What a federation's configuration says of the agents' files, and what it cannot: which file an agent opens.
#include <sys/stat.h>

#include "fedstein/data/error.h"
#include "fedstein/data/scaling.h"
#include "fedstein/files/missing_input.h"
#include "fedstein/numeric/check.h"
#include "fedstein/serving/agent_work.h"
#include "fedstein/serving/column_sums.h"
#include "support/close.h"
#include "support/temporary_folder.h"
#include "support/throws.h"

namespace fedstein {
namespace {

std::string document(const std::string& data, const std::string& dataset = "rows.csv", const std::string& server = {}) {
  return "[experiment]\nname = \"agreed\"\npreset = \"paper\"\nagents = 3\ntrials = 1\nscaling = \"standardise\"\n"
         "dataset = \"" +
         dataset + "\"\n[data]\n" + data + "[[algorithm]]\ntype = \"dsvgd\"\n[server]\n" + server;
}

constexpr const char* kColumns =
    "label = \"ill\"\nclasses = [\"no\", \"yes\"]\nmissing = \"impute\"\ncolumns = [\"age\", \"sex\"]\n"
    "categories = [\"sex=f\", \"sex=m\", \"sex=x\"]\nfills = [\"age=50\"]\n";

FederationPlan federation(const std::string& text) {
  return parse_federation(text, "net.toml", {});
}

Charter charter_of(const std::string& text) {
  return {.run = {}, .agent = 0, .agents = 3, .document = text};
}

// A table in a dialect of the agent's own; agents differ in age.
std::string rows_of(int agent) {
  const char separator = agent == 1 ? ';' : ',';
  std::string text = std::string("sex") + separator + "ill" + separator + "age\n";
  for (int row = 0; row < 12; ++row) {
    const std::string half = agent == 1 ? ",5" : ".5";
    text += std::string(1, "fmx"[row % 3]) + separator + (row % 4 == 0 ? "yes" : "no") + separator +
            (row == 5 ? "" : std::to_string(30 + 10 * agent + row) + half) + "\n";
  }
  return text;
}

TEST(AgreedFiles, TheServerKnowsTheShapeByTheColumns) {
  const FederationPlan plan = federation(document(kColumns));
  EXPECT_EQ(row_shape(plan).features, 4);
  EXPECT_EQ(row_shape(plan).classes, 2);
  const FederationPlan again = federation_from_charter(plan.charter(4, 2));
  EXPECT_TRUE(again.setting().dataset.table == plan.setting().dataset.table);
  EXPECT_THROW_MESSAGE(federation(document(kColumns, "rows.csv", "features = 2\n")),
                       BadConfiguration,
                       "server.features is 2; the columns of [data] make 4 features, so leave it out");
  EXPECT_THROW_MESSAGE(row_shape(federation(document(""))), InvalidArgument, "fedstein data describe FILE");
  EXPECT_THROW_MESSAGE(federation(document("label = \"ill\"\n", "rows.csv", "features = 2\n")),
                       BadConfiguration,
                       "data.label is given without data.columns");
}

TEST(AgreedFiles, NamesOfPlacesAndValuesOfClassesTravel) {
  const std::string data =
      "names = [\"age\", \"note\", \"num\"]\nlabel = 2\nignore = [1]\nclasses = [\"healthy\", \"ill\"]\n"
      "class_values = [\"healthy=0\", \"ill=1\", \"ill=2\"]\ncolumns = [\"age\"]\n";
  const FederationPlan plan = federation(document(data));
  const TableSchema& schema = *plan.setting().dataset.table;
  EXPECT_EQ(schema.places, (std::vector<std::string>{"age", "note", "num"}));
  EXPECT_EQ(schema.label, "num");
  EXPECT_EQ(schema.ignored, std::vector<std::string>{"note"});
  EXPECT_FALSE(schema.dialect.header);
  EXPECT_EQ(schema.class_values, (std::vector<std::vector<std::string>>{{"0"}, {"1", "2"}}));
  EXPECT_EQ(schema.labels, LabelKind::kBinary);
  EXPECT_TRUE(federation_from_charter(plan.charter(1, 2)).setting().dataset.table == schema);
  EXPECT_THROW_MESSAGE(federation(document(data + "width = 4\n")), BadConfiguration, "data.names has 3; leave it out");
  EXPECT_THROW_MESSAGE(federation(document("class_values = [\"a=1\"]\n", "rows.csv", "features = 2\n")),
                       BadConfiguration,
                       "needs data.columns");
  std::string unknown = data;
  unknown.replace(unknown.find("ill=2"), 5, "dead=2");
  EXPECT_THROW_MESSAGE(
      federation(document(unknown)), BadConfiguration, "data.class_values is 'dead=2'; allowed: CLASS=VALUE");
}

TEST(AgreedFiles, AServerTakesNothingFromAFileThatHappensToLieThere) {
  const TemporaryFolder folder;
  folder.write("rows.csv", "secret,ill\nalice,no\nbob,yes\nalice,yes\nbob,no\n");
  const FederationPlan plan = federation(document("", folder.path("rows.csv"), "features = 2\n"));
  EXPECT_FALSE(plan.setting().dataset.table);
  EXPECT_EQ(plan.charter(2, 2).find("alice"), std::string::npos);
}

TEST(AgreedFiles, AConfigurationThatNamesAFileToOpenIsRefused) {
  for (const std::string key : {"test", "label_file"}) {
    const std::string format = key == "test" ? "" : "format = \"idx\"\n";
    const std::string hostile = document(format + key + " = \"/etc/passwd\"\n", "rows.csv", "features = 2\n");
    const std::string expected =
        "data." + key + " is '/etc/passwd'; a networked federation's configuration names no file";
    EXPECT_THROW_MESSAGE(federation(hostile), BadConfiguration, expected);
    // An agent does not rely on the server's having looked.
    AgentWork agent(AgentData{.file = "mine.csv"}, AgentWork::Tell{});
    EXPECT_THROW_MESSAGE(agent.prepare(charter_of(hostile)), BadConfiguration, expected);
  }
}

TEST(AgreedFiles, ADatasetsPathIsANameThatNobodyOpens) {
  const TemporaryFolder folder;
  const std::string pipe = folder.path("pipe.csv");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  folder.write("mine.csv", "20,30,1\n30,10,-1\n");
  folder.write("other.csv", "not, a, table of numbers\n");
  // Opened, the pipe would hold the test for ever, and the other file would be refused.
  for (const std::string& path : {pipe, folder.path("other.csv")}) {
    AgentWork agent(AgentData{.file = folder.path("mine.csv")}, AgentWork::Tell{});
    std::string text = document("", path, "features = 2\n");
    text.replace(text.find("standardise"), 11, "none");
    EXPECT_EQ(agent.prepare(charter_of(text)).rows, 2);
  }
  for (const std::string& path : {pipe, std::string("/dev/zero")}) {
    AgentWork agent(AgentData{.file = path}, AgentWork::Tell{});
    EXPECT_THROW_MESSAGE(agent.prepare(charter_of(document(kColumns))),
                         MissingInput,
                         "is a pipe or a device; an ordinary file is needed");
  }
}

TEST(AgreedFiles, IdxLabelsAreTheFileThatTheAgentsOperatorNames) {
  const TemporaryFolder folder;
  using namespace std::string_literals;
  folder.write("images", "\0\0\x08\x03\0\0\0\2\0\0\0\1\0\0\0\2"s + "\1\2\3\4");
  folder.write("labels", "\0\0\x08\x01\0\0\0\2"s + "\0\1"s);
  const std::string text =
      "[experiment]\nname = \"i\"\npreset = \"paper\"\nagents = 3\ntrials = 1\ndataset = "
      "\"images.idx\"\n[data]\nformat = "
      "\"idx\"\nlabels = \"multiclass\"\n[model]\ntype = \"bnn-classification\"\n[[algorithm]]\ntype = \"dsvgd\"\n"
      "[server]\nfeatures = 2\nclasses = 2\n";
  EXPECT_EQ(row_shape(federation(text)).features, 2);
  AgentWork with(AgentData{.file = folder.path("images"), .label_file = folder.path("labels")}, AgentWork::Tell{});
  EXPECT_EQ(with.prepare(charter_of(text)).rows, 2);
  AgentWork without(AgentData{.file = folder.path("images")}, AgentWork::Tell{});
  EXPECT_THROW_MESSAGE(without.prepare(charter_of(text)), InvalidArgument, "no such file is given (--labels FILE)");
  AgentWork table(AgentData{.file = folder.path("images"), .label_file = folder.path("labels")}, AgentWork::Tell{});
  EXPECT_THROW_MESSAGE(table.prepare(charter_of(document(kColumns))), InvalidArgument, "hold rows and labels together");
}

// Numbers, dummies and what says that a value is missing: all of them are features, and scaled like any.
TEST(AgreedFiles, SumsScaleLikeThePooledRows) {
  const TemporaryFolder folder;
  const FederationPlan plan = federation(document(kColumns));
  const SummedColumns columns = summed_columns(4, LabelKind::kBinary);
  std::vector<std::string> sums;
  Dataset pooled;
  pooled.x.resize(36, 4);
  pooled.y.resize(36);
  std::vector<Index> all;
  for (int agent = 0; agent < 3; ++agent) {
    folder.write("rows.csv", rows_of(agent));
    AgentWork work(AgentData{.file = folder.path("rows.csv")}, AgentWork::Tell{});
    const AgentFacts facts = work.prepare(charter_of(plan.charter(4, 2)));
    EXPECT_EQ(facts.features, 4);
    sums.push_back(facts.statistics);
    const Dataset own = read_agreed_table(folder.path("rows.csv"), *plan.setting().dataset.table);
    pooled.x.middleRows(12 * agent, 12) = own.x;
    pooled.y.segment(12 * agent, 12) = own.y;
    EXPECT_EQ(own.x(5, 0), 50);
    EXPECT_EQ(own.x(5, 1), 1);
  }
  for (Index row = 0; row < 36; ++row) all.push_back(row);
  const ColumnStatistics total = column_sums_from(total_of_sums(sums, columns, {"a", "b", "c"}), columns);
  const Scaling agreed = make_scaling(ScalingRule::kStandardise, LabelKind::kBinary, total);
  const Scaling whole = fit_scaling(ScalingRule::kStandardise, pooled, all);
  for (Index k = 0; k < 4; ++k) {
    EXPECT_NEAR(agreed.shift(k), whole.shift(k), 1e-9);
    EXPECT_NEAR(agreed.spread(k), whole.spread(k), 1e-9);
  }
}

}  // namespace
}  // namespace fedstein
