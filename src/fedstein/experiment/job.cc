// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/job.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "fedstein/algorithm/federation.h"
#include "fedstein/data/registry.h"
#include "fedstein/evaluation/by_group.h"
#include "fedstein/evaluation/diagnostics.h"
#include "fedstein/evaluation/evaluation.h"
#include "fedstein/evaluation/plateau.h"
#include "fedstein/evaluation/unseen.h"
#include "fedstein/experiment/advice.h"
#include "fedstein/experiment/job_details.h"
#include "fedstein/experiment/plane_map.h"
#include "fedstein/experiment/toy_figures.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

// What a server without data of its own may have: inputs of nobody in particular, without labels. FedBE distils on
// them.
constexpr Index kUnlabelledRows = 1000;

// What a job's checkpoints may write on average. Twenty agents' factors of a wide network are a gigabyte: every few
// seconds of it would be the disk's only work.
constexpr double kBytesPerSecond = 1e7;

Matrix unlabelled_inputs(const TrialData& data) {
  const Index count = std::min(kUnlabelledRows, data.x.rows());
  Matrix inputs(count, data.x.cols());
  for (Index i = 0; i < count; ++i) inputs.row(i) = data.x.row(i * data.x.rows() / count);
  return inputs;
}

double temperature_of(const Settings& settings) {
  return settings.has("temperature") ? settings.number("temperature") : 1;
}

EvaluationOptions evaluation_options(const EvaluationPlan& plan, const TrialData& data) {
  return {.bins = plan.bins,
          .target_deviation = data.target_deviation,
          .f1 = plan.f1,
          .abstained = plan.abstention,
          .sureness = true};
}

RowGroups groups_of(const DatasetPlan& plan, const TrialData& data) {
  if (plan.table) return {.of_row = data.test_groups, .names = plan.table->groups};
  return {.of_row = data.test_groups,
          .names = plan.own_file ? std::vector<std::string>{} : find_dataset(plan.name).group_names};
}

// Of the figures on rows that agents kept back, those that a verdict asks for.
constexpr const char* kValidated[] = {"log_likelihood", "accuracy", "ece", "confidence", "rmse", "coverage", "rows"};
constexpr const char* kPlateauFigure = "validation_log_likelihood";

// Two passes over the agents, however many take part at a time.
Index patience_rounds(Index agents, Index at_a_time) {
  return 2 * ((agents + at_a_time - 1) / at_a_time);
}

// Judges the rounds that are to be judged, and writes all of them down.
class Recorder : public Observer {
 public:
  Recorder(const Job& job, const TrialData& data, const Federation& federation, ServerSide& server)
      : job_(job), data_(data), federation_(federation), server_(server) {
    const EvaluationPlan& plan = job.case_plan->evaluation;
    if (is_toy(job.case_plan->model)) {
      figures_.emplace(*data.model, data.all(), server, plan.kl_bandwidths);
    } else {
      evaluation_.emplace(*data.model, data.test(), evaluation_options(plan, data));
    }
    if (plan.by_group) {
      const RowGroups groups = groups_of(job.case_plan->dataset, data);
      by_group_.emplace(*data.model, data.test(), groups, evaluation_options(plan, data));
    }
    if (!data.unseen.empty()) {
      unseen_.emplace(*data.model, data.test().middle_rows(0, std::min(kMostUnseenRows, data.test_x.rows())));
      for (const UnseenSet& set : data.unseen) unseen_->add(set.name, set.x);
    }
    if (data.validation_x.rows() > 0) {
      const EvaluationOptions how{.bins = plan.bins, .target_deviation = data.target_deviation, .sureness = true};
      validation_.emplace(*data.model, data.validation(), how);
    }
    if (plan.ksd) {
      fit_.emplace(*data.model,
                   data.all(),
                   PosteriorFit::Options{.temperature = temperature_of(job.algorithm->settings), .seed = job.seed});
    }
  }

  void write_to(RunStore& store, const JobOptions& options) {
    store_ = &store;
    options_ = &options;
  }

  // Ends the run when what agents kept back is predicted no better any more. `before`: the rounds of an earlier process
  // that this one goes on from.
  void stop_at_plateau(Index patience, const std::vector<RoundRecord>& before) {
    plateau_.emplace(PlateauOptions{.rounds = patience});
    for (const RoundRecord& record : before) stands_still(record);
  }

  Next on_round(RoundRecord& record, const Particles& particles) override {
    const bool planned_last = record.round == job_.algorithm->rounds;
    const bool judged = planned_last || record.round % job_.case_plan->evaluation.every == 0;
    if (judged) judge(record, particles);
    const bool last = stands_still(record) || planned_last;
    store_->write_round(job_.id, record);
    if (keeps(judged, last)) store_->write_particles(job_.id, record.round, particles);
    if (last && evaluation_) write_reliability(record.round, particles);
    if (last && job_.maps && draws_map(particles)) {
      store_->write_density(job_.id, record.round, packed(plane_map(data_, particles, job_.algorithm->alone)));
    }
    const bool stop = options_->stop.stop_requested() && !last;
    if (stop || (!last && is_due())) checkpoint(record.round);
    if (options_->on_round) options_->on_round(record.round);
    stopped = stop;
    return stop || last ? Next::kStop : Next::kContinue;
  }

  bool stopped = false;

 private:
  bool stands_still(const RoundRecord& record) {
    const auto found = record.figures.find(kPlateauFigure);
    return plateau_ && found != record.figures.end() && plateau_->note(record.round, found->second);
  }

  // 0 seconds ask for a checkpoint after every round, whatever it costs.
  bool is_due() const {
    const std::chrono::duration<double> since = Clock::now() - saved_at_;
    const double asked = options_->checkpoint_seconds;
    return since.count() > (asked > 0 ? std::max(asked, saved_bytes_ / kBytesPerSecond) : 0);
  }

  void checkpoint(Index round) {
    const auto state = federation_.save();
    store_->checkpoint(job_.id, round, state);
    saved_bytes_ = static_cast<double>(state.size());
    saved_at_ = Clock::now();
  }

  // What cannot be judged any more has diverged, whoever notices it first.
  void judge(RoundRecord& record, const Particles& particles) {
    try {
      add_figures(record, particles);
    } catch (const Divergence& error) {
      throw Divergence("diverged in round " + std::to_string(record.round) + ": " + error.what() + "; " +
                       calmer(judge_options(*job_.case_plan, *job_.algorithm)));
    }
  }

  void add_figures(RoundRecord& record, const Particles& particles) {
    if (evaluation_) evaluation_->on_round(record, particles);
    if (by_group_) by_group_->on_round(record, particles);
    if (unseen_) unseen_->on_round(record, particles);
    if (validation_) add_validation(record, particles);
    if (fit_) fit_->on_round(record, particles);
    if (!figures_) return;
    figures_->on_round(record, particles);
    const double bandwidth = job_.case_plan->evaluation.kl_bandwidths.front();
    store_->write_density(job_.id, record.round, drawn_density(*data_.model, server_, particles, bandwidth));
  }

  // Of all agents' rows together: a mean over agents, weighted by their rows.
  void add_validation(RoundRecord& record, const Particles& particles) const {
    const std::map<std::string, double> figures = validation_->figures(particles);
    for (const char* name : kValidated) {
      const auto found = figures.find(name);
      if (found != figures.end()) record.figures[std::string("validation_") + name] = found->second;
    }
  }

  bool keeps(bool judged, bool last) const {
    const std::string& which = job_.case_plan->evaluation.particles;
    return which == "all" || (which == "evaluated" && judged) || (which == "last" && last);
  }

  // What the plan could not know, and what diverged.
  bool draws_map(const Particles& particles) const { return data_.x.cols() == 2 && particles.allFinite(); }

  void write_reliability(Index round, const Particles& particles) {
    const std::optional<ReliabilityBins> bins = evaluation_->reliability(particles);
    if (bins) store_->write_reliability(job_.id, round, bins->bins());
  }

  const Job& job_;
  const TrialData& data_;
  const Federation& federation_;
  const ServerSide& server_;
  RunStore* store_ = nullptr;
  const JobOptions* options_ = nullptr;
  Clock::time_point saved_at_ = Clock::now();
  double saved_bytes_ = 0;
  std::optional<Evaluation> evaluation_;
  std::optional<EvaluationByGroup> by_group_;
  std::optional<UnseenDetection> unseen_;
  std::optional<Evaluation> validation_;
  std::optional<Plateau> plateau_;
  std::optional<PosteriorFit> fit_;
  std::optional<ToyFigures> figures_;
};

// Whose rows are learned from. A centralised method sees all rows in one place, and whoever is alone sees his own.
std::vector<Batch> shards_for(const AlgorithmPlan& plan, const TrialData& data) {
  if (!plan.alone) return plan.method->centralised ? std::vector<Batch>{data.all()} : data.shards();
  const std::vector<Batch> all = data.shards();
  check_argument(*plan.alone < static_cast<Index>(all.size()), "algorithm.alone", [&] {
    return "is " + std::to_string(*plan.alone) + " for '" + plan.label + "' and there are " +
           std::to_string(all.size()) + " agents; allowed: 0 to " + std::to_string(all.size() - 1);
  });
  return {all[static_cast<std::size_t>(*plan.alone)]};
}

// All rounds that are left. What they need in memory ends with them.
JobEnd run_rounds(const Job& job, const TrialData& data, RunStore& store, const JobOptions& options) {
  const AlgorithmPlan& plan = *job.algorithm;
  const Matrix unlabelled = is_toy(job.case_plan->model) ? Matrix() : unlabelled_inputs(data);
  const std::vector<Batch> shards = shards_for(plan, data);
  Federation federation(*plan.method, plan.settings, *data.model, shards, {job.seed, &unlabelled});
  std::vector<RoundRecord> before;
  if (const auto checkpoint = job.begun ? store.last_checkpoint(job.id) : std::nullopt) {
    federation.restore(checkpoint->state, checkpoint->round);
    if (job.case_plan->validation.plateau) before = store.rounds(job.id);
    // Whoever was killed may have come further than its checkpoint: those rounds are done again.
    std::erase_if(before, [&](const RoundRecord& record) { return record.round > checkpoint->round; });
  }
  std::vector<Index> sizes;
  for (const Batch& shard : shards) sizes.push_back(shard.rows());
  const SchedulerPlan alone{};
  const auto scheduler = make_scheduler(plan.method->centralised ? alone : plan.scheduler, sizes, job.seed);
  Recorder recorder(job, data, federation, federation.server());
  recorder.write_to(store, options);
  if (job.case_plan->validation.plateau) {
    const auto at_a_time = static_cast<Index>(scheduler->pick(1).size());
    recorder.stop_at_plateau(patience_rounds(static_cast<Index>(sizes.size()), at_a_time), before);
  }
  federation.run({.rounds = plan.rounds - federation.rounds(), .scheduler = scheduler.get(), .keep_records = false},
                 recorder);
  if (recorder.stopped) return JobEnd::kStopped;
  for (const auto& [name, text] : job_details(job, data, federation.particles()))
    store.write_detail(job.id, name, text);
  if (options.on_last_round) options.on_last_round();
  if (options.on_end) options.on_end(federation.particles());
  return JobEnd::kDone;
}

}  // namespace

JobEnd run_job(const Job& job, const TrialData& data, RunStore& store, const JobOptions& options) {
  const JobEnd end = run_rounds(job, data, store, options);
  if (end == JobEnd::kDone) store.finish_job(job.id);
  return end;
}

}  // namespace fedstein
