// SPDX-License-Identifier: Apache-2.0
#include "fedstein/serving/agent_work.h"

#include <limits>
#include <utility>

#include "fedstein/data/error.h"
#include "fedstein/data/feature_noise.h"
#include "fedstein/data/load.h"
#include "fedstein/data/split.h"
#include "fedstein/experiment/trial_data.h"
#include "fedstein/files/missing_input.h"
#include "fedstein/files/sha256.h"
#include "fedstein/numeric/check.h"
#include "fedstein/serving/column_sums.h"

namespace fedstein {
namespace {

Batch batch_of(const Dataset& dataset) {
  return {dataset.x, dataset.y};
}

template <typename Numbers>
std::string_view bytes_of(const Numbers& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), static_cast<std::size_t>(numbers.size()) * sizeof(Real)};
}

// So that the agent itself notices another file under its name. It stays in the state folder.
std::string digest_of(const Dataset& learned, const Dataset& kept_back) {
  Sha256 digest;
  for (const Dataset* dataset : {&learned, &kept_back}) {
    digest.add(bytes_of(dataset->x));
    digest.add(bytes_of(dataset->y));
  }
  return std::move(digest).hex();
}

}  // namespace

AgentWork::AgentWork(AgentData data, Tell tell) : data_(std::move(data)), tell_(std::move(tell)) {
  const int sources = (data_.rows.x.rows() > 0 ? 1 : 0) + (data_.file.empty() ? 0 : 1) + (data_.simulate ? 1 : 0);
  check_argument(sources == 1, "agent", [&] {
    return std::to_string(sources) + " sources of rows are given; exactly one of rows, a file and a share of the " +
           "experiment's dataset must be";
  });
  for (const OwnRows* own : {&data_.rows, &data_.test_rows}) {
    check_argument(own->x.rows() == own->y.size(), "agent", [&] {
      return std::to_string(own->x.rows()) + " rows of x and " + std::to_string(own->y.size()) +
             " labels are given; there must be as many of both";
    });
    check_finite("agent", "x", own->x);
  }
}

AgentFacts AgentWork::prepare(const Charter& charter) {
  federation_ = federation_from_charter(charter.document, *data_.registry);
  agent_ = charter.agent;
  check_argument(
      charter.agents == federation_.agents, "agent", "the server counts other agents than its configuration");
  if (data_.simulate) {
    take_share();
  } else {
    read_rows();
  }
  shapes_ =
      belief_shapes(*federation_.algorithm().method, federation_.algorithm().settings, *model_, federation_.agents);
  return {.algorithm = federation_.algorithm().method->name,
          .dimension = model_->dimension(),
          .rows = rows_.x.rows(),
          .features = rows_.x.cols(),
          .statistics = statistics_,
          .rows_digest = digest_of(rows_, kept_back_),
          .evaluates = can_report()};
}

// Few rows are evaluated for the agent's own eyes only.
bool AgentWork::can_report() const {
  return evaluated_rows().x.rows() >= kFewestEvaluatedRows && model_->predictive() != nullptr;
}

// Of the federation's plan the meaning of the columns, never a path.
Dataset AgentWork::read(const std::string& file, const std::string& labels) const {
  const DatasetPlan& plan = federation_.setting().dataset;
  const bool is_idx = plan.file.layout.format == FileFormat::kIdx;
  check_argument(is_idx != labels.empty(), "agent", [&] {
    return is_idx ? "the federation's rows are of the format idx, which keeps labels in a file of their own; no such "
                    "file is given (--labels FILE)"
                  : "a file of labels is given (--labels), but the federation's files hold rows and labels together";
  });
  require_ordinary_file(file);
  if (is_idx) require_ordinary_file(labels);
  check_argument(plan.table || data_.table.ignore.empty(),
                 "agent",
                 "columns to ignore are named, but the federation's [data] names no columns; leave --ignore out");
  if (plan.table) return read_agreed_table(file, *plan.table, data_.table);
  OwnFile how = plan.file;
  how.label_path = labels;
  return load_dataset_file(file, how);
}

Dataset AgentWork::labelled(const OwnRows& rows,
                            const std::string& file,
                            const std::string& labels,
                            const char* name) const {
  const DatasetPlan& plan = federation_.setting().dataset;
  const Index features = federation_.server.features;
  Dataset out;
  if (file.empty()) {
    out = {.name = name,
           .labels = plan.file.labels,
           .x = rows.x,
           .y = rows.y,
           .classes = federation_.server.classes,
           .group = {}};
    validate(out);
  } else {
    out = read(file, labels);
  }
  if (out.x.cols() != features) {
    throw DataError((file.empty() ? name : file) + ": has " + std::to_string(out.x.cols()) +
                    " columns of features; the federation's rows have " + std::to_string(features));
  }
  return out;
}

void AgentWork::read_rows() {
  const DatasetPlan& plan = federation_.setting().dataset;
  check_argument(plan.own_file, "agent", [&] {
    return "the federation's dataset is '" + plan.name + "', not a file; --simulate takes this agent's share of it";
  });
  rows_ = labelled(data_.rows, data_.file, data_.label_file, "the agent's rows");
  if (data_.test_rows.x.rows() > 0 || !data_.test_file.empty()) {
    test_ = labelled(data_.test_rows, data_.test_file, data_.test_label_file, "the agent's test rows");
  }
  keep_some_back();
  if (!is_fixed(plan.scaling)) {
    statistics_ = column_sums_bytes(column_statistics(rows_, all_rows(rows_.x.rows())), columns());
  }
  model_ = federation_.make_model(federation_.server.features, federation_.server.classes);
}

// As `fedstein run` does it with the rows of this agent, in the order of its file.
void AgentWork::keep_some_back() {
  const Split split = keep_back(rows_.x.rows(), federation_.setting().validation.share, federation_.seed, agent_);
  if (split.test.empty()) return;
  kept_back_ = rows(rows_, split.test);
  rows_ = rows(rows_, split.train);
}

// The rows that `fedstein run` would give this agent; of the test rows every K-th, so that all agents' bins add up to
// the diagram of the whole test set.
void AgentWork::take_share() {
  const CasePlan& plan = federation_.setting();
  // A path in a server's configuration names nothing on this machine: its owner has not said that it may be read.
  check_argument(!plan.dataset.own_file, "agent", [&] {
    return "--simulate takes a share of a dataset that fedstein knows by name; this federation's is a file, so give "
           "this agent's own rows with --data FILE";
  });
  TrialData trial =
      is_toy(plan.model)
          ? prepare_toy(plan)
          : prepare_trial(plan, load_planned(plan.dataset, data_.data_folder, federation_.seed), federation_.seed);
  const Batch mine = trial.shards().at(static_cast<std::size_t>(agent_));
  rows_.x = mine.x;
  rows_.y = mine.y;
  std::vector<Index> tested;
  for (Index row = agent_; row < trial.test_x.rows(); row += federation_.agents) tested.push_back(row);
  if (!tested.empty()) {
    test_.x = trial.test_x(tested, Eigen::all);
    test_.y = trial.test_y(tested);
  }
  target_deviation_ = trial.target_deviation;
  model_ = std::move(trial.model);
}

SummedColumns AgentWork::columns() const {
  return summed_columns(rows_.x.cols(), federation_.setting().dataset.file.labels);
}

void AgentWork::scale(const Beginning& beginning) {
  if (data_.simulate) return;
  const DatasetPlan& plan = federation_.setting().dataset;
  const Scaling scaling =
      is_fixed(plan.scaling)
          ? fixed_scaling(plan, rows_.x.cols())
          : make_scaling(plan.scaling, plan.file.labels, column_sums_from(beginning.statistics, columns()));
  target_deviation_ = scaling.target_spread;
  apply_scaling(scaling, rows_);
  if (kept_back_.x.rows() > 0) apply_scaling(scaling, kept_back_);
  if (test_.x.rows() > 0) apply_scaling(scaling, test_);
  // As `fedstein run` does it with these rows; a simulated share has it already.
  const FeatureNoise noise{.level = federation_.setting().feature_noise,
                           .agent = agent_,
                           .agents = federation_.agents,
                           .seed = federation_.seed};
  add_feature_noise(noise, NoisyRows::kLearned, rows_.x);
  add_feature_noise(noise, NoisyRows::kKeptBack, kept_back_.x);
}

std::unique_ptr<AgentSide> AgentWork::make_side(const Beginning& beginning) {
  scale(beginning);
  model_->check_data(batch_of(rows_));
  const bool predicts = model_->predictive() != nullptr;
  if (!predicts && test_.x.rows() > 0) on_event("has rows to test predictions on, and the model predicts nothing");
  if (const Dataset& rows = evaluated_rows(); predicts && rows.x.rows() > 0) {
    const std::lock_guard lock(mutex_);
    const EvaluationOptions how{.bins = federation_.setting().evaluation.bins, .target_deviation = target_deviation_};
    evaluation_.emplace(*model_, batch_of(rows), how);
  }
  if (const Index few = evaluated_rows().x.rows(); predicts && few > 0 && few < kFewestEvaluatedRows) {
    on_event("has " + std::to_string(few) + " rows to test predictions on; sums over fewer than " +
             std::to_string(kFewestEvaluatedRows) + " are not sent to the server");
  }
  const AgentContext context =
      context_of(*model_, batch_of(rows_), agent_, {beginning.agents, beginning.total_rows}, federation_.seed);
  return federation_.algorithm().method->make_agent(context, federation_.algorithm().settings);
}

std::string AgentWork::objection(const Task& task) const {
  return objection_to(task.belief, shapes_);
}

std::optional<EvaluationReport> AgentWork::evaluate(Index round, const Matrix& particles) {
  if (particles.rows() == 0 || particles.cols() != model_->dimension()) return std::nullopt;
  const std::lock_guard lock(mutex_);
  latest_ = particles;
  // As `fedstein run`, which evaluates no belief before the first round.
  const bool wanted = round == federation_.algorithm().rounds || round % federation_.setting().evaluation.every == 0;
  if (!evaluation_ || round < 1 || !wanted || !can_report()) return std::nullopt;
  EvaluationReport out{.round = round, .sums = evaluation_->sums(particles)};
  const EvaluationShape shape{.bins = static_cast<Index>(out.sums.bins.size()),
                              .fewest_rows = kFewestEvaluatedRows,
                              .most_rows = std::numeric_limits<Index>::max()};
  // What a server would have to refuse: numbers that have run away.
  if (const std::string why = objection_to(out.sums, shape); !why.empty()) throw Divergence("there are sums " + why);
  return out;
}

Particles AgentWork::latest() const {
  const std::lock_guard lock(mutex_);
  return latest_;
}

std::map<std::string, double> AgentWork::figures() const {
  const std::lock_guard lock(mutex_);
  if (!evaluation_ || latest_.size() == 0) return {};
  return evaluation_->figures(latest_);
}

void AgentWork::on_event(const std::string& event) {
  if (tell_) tell_(event);
}

}  // namespace fedstein
