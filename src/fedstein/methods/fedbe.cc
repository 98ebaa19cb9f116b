// SPDX-License-Identifier: Apache-2.0
#include "fedstein/methods/fedbe.h"

#include <algorithm>

#include "fedstein/federated/state.h"
#include "fedstein/methods/points/teacher_score.h"
#include "fedstein/numeric/check.h"

namespace fedstein {
namespace {

constexpr const char* kName = "fedbe";

const Matrix& inputs_of(const ServerContext& context) {
  check_argument(context.unlabelled != nullptr && context.unlabelled->rows() > 0,
                 kName,
                 "the server has no unlabelled inputs; it needs at least 1 row to distil its ensemble on");
  check_finite(kName, "unlabelled", *context.unlabelled);
  return *context.unlabelled;
}

// The student's gradient steps.
PointOptions student_options(const FedBeSetup& options) {
  PointOptions student = options;
  student.step_rule = options.distillation_rule;
  student.learning_rate = options.distillation_rate;
  return student;
}

FedBeSetup fedbe_options(const Settings& settings) {
  FedBeSetup options;
  static_cast<PointOptions&>(options) = point_options(settings);
  options.samples = settings.integer("samples");
  options.deviation_scale = settings.number("deviation_scale");
  options.sharpening = settings.number("sharpening");
  options.distillation_epochs = settings.integer("distillation_epochs");
  options.distillation_batch = settings.integer("distillation_batch");
  options.distillation_rule = settings.text("distillation_rule");
  options.distillation_rate = settings.number("distillation_rate");
  options.swa_cycle = settings.integer("swa_cycle");
  return options;
}

std::vector<Setting> fedbe_settings() {
  const FedBeSetup standard;
  std::vector<Setting> settings = point_settings();
  settings.push_back(
      {.key = "samples", .standard = standard.samples, .help = "models drawn from the Gaussian, M", .least = 0});
  settings.push_back({.key = "deviation_scale",
                      .standard = standard.deviation_scale,
                      .help = "factor of the Gaussian's standard deviation; 0.1 in the released code",
                      .least = 0});
  settings.push_back({.key = "sharpening",
                      .standard = standard.sharpening,
                      .help = "temperature T: the student learns p^(1/T); 0.5 in the released code",
                      .least = 0.01});
  settings.push_back({.key = "distillation_epochs",
                      .standard = standard.distillation_epochs,
                      .help = "the student's passes over the server's inputs; 0: the student is the mean",
                      .least = 0});
  settings.push_back({.key = "distillation_batch",
                      .standard = standard.distillation_batch,
                      .help = "inputs in each step of the student",
                      .least = 1});
  Setting rule = setting_named("step_rule", settings);
  rule.key = "distillation_rule";
  rule.standard = standard.distillation_rule;
  rule.help = "how the student's gradients become steps";
  settings.push_back(rule);
  Setting rate = setting_named("learning_rate", settings);
  rate.key = "distillation_rate";
  rate.standard = standard.distillation_rate;
  rate.help = "step size of the student";
  settings.push_back(rate);
  settings.push_back({.key = "swa_cycle",
                      .standard = standard.swa_cycle,
                      .help = "the student's weights are averaged once every so many steps",
                      .least = 1});
  return settings;
}

}  // namespace

FedBeServer::FedBeServer(const ServerContext& context, const FedBeSetup& options)
    : PointServer("fedbe server", context, {initial_point(*context.model, options, context.seed)}),
      model_(context.model),
      unlabelled_(&inputs_of(context)),
      options_(options),
      stream_{.seed = context.seed, .agent = context.rows.size(), .purpose = Purpose::kNoise},
      descent_(*context.model, student_options(options)),
      ensemble_(belief().front()) {
  check_argument(TeacherScore::can_teach(*model_), kName, "the model predicts neither classes nor a target");
  model_->predictive()->predict(ensemble_,
                                unlabelled_->topRows(1));  // refuses inputs of another width now, not in round 1
}

std::vector<Verdict> FedBeServer::fold(Index round, const std::vector<Update>& updates) {
  const std::vector<double> weights = shares(updates);
  Particles ensemble = sample_ensemble(round, updates, weights);
  Matrix student = distil(round, ensemble);
  auto verdicts = accept(round, updates, weights);
  ensemble_ = std::move(ensemble);
  replace({std::move(student)});
  return verdicts;
}

Particles FedBeServer::sample_ensemble(Index round,
                                       const std::vector<Update>& updates,
                                       const std::vector<double>& weights) const {
  const auto agents = static_cast<Index>(updates.size());
  const DoubleMatrix mean = weighted_sum(updates, weights);
  DoubleMatrix variance = DoubleMatrix::Zero(1, mean.cols());
  for (std::size_t k = 0; k < updates.size(); ++k) {
    variance += weights[k] * (updates[k].belief.front().cast<double>() - mean).cwiseAbs2();
  }
  const Matrix deviation = (options_.deviation_scale * variance.cwiseSqrt()).cast<Real>();

  Particles ensemble(1 + agents + options_.samples, mean.cols());
  ensemble.row(0) = checked_point(mean, kName);
  for (Index k = 0; k < agents; ++k) ensemble.row(1 + k) = updates[static_cast<std::size_t>(k)].belief.front();
  StreamId stream = stream_;
  stream.round = static_cast<std::uint64_t>(round);
  const Rng rng(stream);
  for (Index m = 0; m < options_.samples; ++m) {
    auto sample = ensemble.row(1 + agents + m);
    rng.at_step(static_cast<std::uint64_t>(m)).fill_normal(sample);
    sample = ensemble.row(0) + sample.cwiseProduct(deviation);
  }
  if (const auto constrain = constraint_of(*model_)) constrain(ensemble);
  return ensemble;
}

Matrix FedBeServer::distil(Index round, const Particles& teachers) const {
  TeacherScore lesson(
      *model_, *unlabelled_, model_->predictive()->predict(teachers, *unlabelled_), options_.sharpening);
  StreamId stream = stream_;
  stream.round = static_cast<std::uint64_t>(round);
  stream.purpose = Purpose::kMinibatch;
  lesson.choose_rows(options_.distillation_batch, stream);

  Matrix student = teachers.row(0);
  const Index batch = std::min(options_.distillation_batch, unlabelled_->rows());
  const Index steps = options_.distillation_epochs * ((unlabelled_->rows() + batch - 1) / batch);
  const auto state = descent_.step_rule().start(1, student.cols());
  DoubleMatrix sum = DoubleMatrix::Zero(1, student.cols());
  Index averaged = 0;
  for (Index first = 0; first < steps; first += options_.swa_cycle) {
    const Index count = std::min(options_.swa_cycle, steps - first);
    SvgdOptions how = descent_.options(count);
    how.first_step = first;
    how.state = state.get();
    descent_.run(student, {{+1, lesson}}, how);
    if (2 * (first + count) <= steps) continue;
    sum += student.cast<double>();
    ++averaged;
  }
  return averaged == 0 ? student : checked_point(sum / static_cast<double>(averaged), kName);
}

void FedBeServer::recall(std::vector<Matrix> memory) {
  const bool right = memory.size() == 1 && memory[0].rows() >= 1 && memory[0].cols() == model_->dimension() &&
                     first_non_finite(memory[0]).row < 0;
  if (!right) {
    throw BadState("saved state: the ensemble is not one finite matrix with " + std::to_string(model_->dimension()) +
                   " columns");
  }
  ensemble_ = std::move(memory[0]);
}

Algorithm fedbe_algorithm(const ParticleExtras& extras) {
  return {
      .name = kName,
      .summary =
          "federated Bayesian ensemble: models drawn around the agents' models predict together and teach the next "
          "round's model",
      .parallel = true,
      .settings = fedbe_settings(),
      .objection = [](const Model& model) -> std::string {
        if (TeacherScore::can_teach(model)) return {};
        return "the model predicts neither classes nor a target, and FedBE distils predictions";
      },
      .make_server = makes<FedBeServer>(fedbe_options, extras),
      .make_agent = makes<FedAvgAgent>(fedavg_options, extras),
  };
}

}  // namespace fedstein
