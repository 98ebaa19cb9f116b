// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/job.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "fedstein/algorithm/federation.h"
#include "fedstein/evaluation/diagnostics.h"
#include "fedstein/evaluation/evaluation.h"
#include "fedstein/experiment/toy_figures.h"

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

// Judges the rounds that are to be judged, and writes all of them down.
class Recorder : public Observer {
 public:
  Recorder(const Job& job, const TrialData& data, const Federation& federation, ServerSide& server)
      : job_(job), data_(data), federation_(federation), server_(server) {
    const EvaluationPlan& plan = job.case_plan->evaluation;
    if (is_toy(job.case_plan->model)) {
      figures_.emplace(*data.model, data.all(), server, plan.kl_bandwidths);
    } else {
      evaluation_.emplace(*data.model,
                          data.test(),
                          EvaluationOptions{.bins = plan.bins,
                                            .target_deviation = data.target_deviation,
                                            .f1 = plan.f1,
                                            .abstained = plan.abstention});
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

  Next on_round(RoundRecord& record, const Particles& particles) override {
    const bool last = record.round == job_.algorithm->rounds;
    const bool judged = last || record.round % job_.case_plan->evaluation.every == 0;
    if (judged) judge(record, particles);
    store_->write_round(job_.id, record);
    if (keeps(judged, last)) store_->write_particles(job_.id, record.round, particles);
    if (last && evaluation_) write_reliability(record.round, particles);
    const bool stop = options_->stop.stop_requested() && !last;
    if (stop || (!last && is_due())) checkpoint(record.round);
    if (options_->on_round) options_->on_round(record.round);
    stopped = stop;
    return stop ? Next::kStop : Next::kContinue;
  }

  bool stopped = false;

 private:
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

  void judge(RoundRecord& record, const Particles& particles) {
    if (evaluation_) evaluation_->on_round(record, particles);
    if (fit_) fit_->on_round(record, particles);
    if (!figures_) return;
    figures_->on_round(record, particles);
    const double bandwidth = job_.case_plan->evaluation.kl_bandwidths.front();
    store_->write_density(job_.id, record.round, drawn_density(*data_.model, server_, particles, bandwidth));
  }

  bool keeps(bool judged, bool last) const {
    const std::string& which = job_.case_plan->evaluation.particles;
    return which == "all" || (which == "evaluated" && judged) || (which == "last" && last);
  }

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
  std::optional<PosteriorFit> fit_;
  std::optional<ToyFigures> figures_;
};

// All rounds that are left. What they need in memory ends with them.
JobEnd run_rounds(const Job& job, const TrialData& data, RunStore& store, const JobOptions& options) {
  const AlgorithmPlan& plan = *job.algorithm;
  const Matrix unlabelled = is_toy(job.case_plan->model) ? Matrix() : unlabelled_inputs(data);
  const std::vector<Batch> shards = plan.method->centralised ? std::vector<Batch>{data.all()} : data.shards();
  Federation federation(*plan.method, plan.settings, *data.model, shards, {job.seed, &unlabelled});
  if (const auto checkpoint = job.begun ? store.last_checkpoint(job.id) : std::nullopt) {
    federation.restore(checkpoint->state, checkpoint->round);
  }
  const std::vector<Index> sizes = plan.method->centralised ? std::vector<Index>{data.x.rows()} : data.sizes;
  const SchedulerPlan alone{};
  const auto scheduler = make_scheduler(plan.method->centralised ? alone : plan.scheduler, sizes, job.seed);
  Recorder recorder(job, data, federation, federation.server());
  recorder.write_to(store, options);
  federation.run({.rounds = plan.rounds - federation.rounds(), .scheduler = scheduler.get(), .keep_records = false},
                 recorder);
  if (recorder.stopped) return JobEnd::kStopped;
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
