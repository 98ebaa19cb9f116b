// SPDX-License-Identifier: Apache-2.0
// The agent's half of a configuration: its rows, scaled as the federation agrees, and the algorithm's side on them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "fedstein/data/dataset.h"
#include "fedstein/evaluation/evaluation.h"
#include "fedstein/serving/agent_runner.h"
#include "fedstein/serving/column_sums.h"
#include "fedstein/serving/federation_plan.h"
#include "fedstein/table/agreed_table.h"

namespace fedstein {

// Labelled rows of a program that measures them itself. Labels are -1 and +1, a class index from 0, or the target.
struct OwnRows {
  Matrix x = {};
  Vector y = {};
};

// Where an agent's rows come from: exactly one of rows, file and simulate. No file is opened but those named here.
struct AgentData {
  OwnRows rows = {};
  std::string file = {};          // laid out as the configuration's table [data] says
  std::string label_file = {};    // of a file in the format idx, which holds no labels
  AgreedTableOptions table = {};  // of files that are text tables
  bool simulate = false;          // this agent's share of the configuration's own dataset
  // Rows to test predictions on; never trained on. Not with simulate, which tests on its share of the dataset.
  OwnRows test_rows = {};
  std::string test_file = {};
  std::string test_label_file = {};
  std::string data_folder = {};  // of simulate
  // The methods and models that the server may name; borrowed.
  const Registry* registry = &Registry::standard();
};

class AgentWork : public AgentWorkshop {
 public:
  using Tell = std::function<void(const std::string& event)>;
  // tell: gets what the runner has to say, line by line.
  AgentWork(AgentData data, Tell tell);

  AgentFacts prepare(const Charter& charter) override;
  std::unique_ptr<AgentSide> make_side(const Beginning& beginning) override;
  std::string objection(const Task& task) const override;
  std::optional<EvaluationReport> evaluate(Index round, const Matrix& particles) override;
  void on_event(const std::string& event) override;

  // From any thread: the particles that came by last, and how well they predict the test rows.
  Particles latest() const;
  std::map<std::string, double> figures() const;

 private:
  Dataset labelled(const OwnRows& rows, const std::string& file, const std::string& labels, const char* name) const;
  Dataset read(const std::string& file, const std::string& labels) const;
  void read_rows();
  void keep_some_back();
  void take_share();
  void scale(const Beginning& beginning);
  SummedColumns columns() const;
  const Dataset& evaluated_rows() const { return test_.x.rows() > 0 ? test_ : kept_back_; }
  bool can_report() const;

  AgentData data_;
  Tell tell_;
  FederationPlan federation_;
  Index agent_ = 0;
  Dataset rows_;
  Dataset kept_back_;  // of its rows, not learned from: what is evaluated on where there are no test rows
  Dataset test_;
  double target_deviation_ = 1;  // by which a regression's targets were divided
  std::string statistics_;
  std::unique_ptr<Model> model_;
  std::vector<BeliefShape> shapes_;  // of every task's belief
  mutable std::mutex mutex_;         // of the two below: the program that embeds the agent asks while it works
  std::optional<Evaluation> evaluation_;
  Particles latest_;
};

}  // namespace fedstein
