// SPDX-License-Identifier: Apache-2.0
// The agent's half of a configuration: its rows, scaled as the federation agrees, and the algorithm's side on them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "fedstein/data/dataset.h"
#include "fedstein/evaluation/evaluation.h"
#include "fedstein/serving/agent_runner.h"
#include "fedstein/serving/column_sums.h"
#include "fedstein/serving/federation_plan.h"

namespace fedstein {

struct AgentData {
  std::string file = {};       // the agent's rows, laid out as the configuration's table [data] says
  std::string test_file = {};  // rows to test predictions on; never trained on
  bool simulate = false;       // instead of a file: this agent's share of the configuration's own dataset
  std::string data_folder = {};
  // The methods and models that the server may name; borrowed.
  const Registry* registry = &Registry::standard();
};

class AgentWork : public AgentWorkshop {
 public:
  using Tell = std::function<void(const std::string& event)>;
  // tell: gets what the runner has to say, line by line.
  AgentWork(AgentData data, Tell tell) : data_(std::move(data)), tell_(std::move(tell)) {}

  AgentFacts prepare(const Charter& charter) override;
  std::unique_ptr<AgentSide> make_side(const Beginning& beginning) override;
  std::string objection(const Task& task) const override;
  std::optional<CalibrationCounts> calibrate(Index version, const Belief& belief) override;
  void on_event(const std::string& event) override;

 private:
  void read_files(const RowShape& shape);
  void take_share();
  void scale(const Beginning& beginning);
  SummedColumns columns() const;

  AgentData data_;
  Tell tell_;
  FederationPlan federation_;
  Index agent_ = 0;
  Dataset rows_;
  Dataset test_;
  std::string statistics_;
  std::unique_ptr<Model> model_;
  std::vector<BeliefShape> shapes_;  // of every task's belief
  std::optional<Evaluation> evaluation_;
};

}  // namespace fedstein
