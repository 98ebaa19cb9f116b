// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/trained.h"

#include <algorithm>
#include <cctype>

#include "fedstein/data/registry.h"
#include "fedstein/model/posterior_covariance.h"
#include "fedstein/posterior/posterior_file.h"

namespace fedstein {
namespace {

// Letters, digits, dots and dashes; a run of anything else becomes one dash.
std::string spelled(const std::string& name) {
  std::string out;
  for (const char c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_';
    if (plain) {
      out += c;
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out;
}

// As they stand in the experiment: names that are spelled alike keep apart by their number.
std::string case_word(const Plan& plan, const CasePlan& case_plan) {
  const std::string word = spelled(case_plan.name);
  const bool alone = std::count_if(plan.cases.begin(), plan.cases.end(), [&](const CasePlan& other) {
                       return spelled(other.name) == word;
                     }) == 1;
  return alone ? word : word + "-" + std::to_string(&case_plan - plan.cases.data() + 1);
}

std::string algorithm_word(const CasePlan& case_plan, const AlgorithmPlan& algorithm) {
  const std::string word = spelled(algorithm.label);
  const auto& all = case_plan.algorithms;
  const bool alone = std::count_if(all.begin(), all.end(), [&](const AlgorithmPlan& other) {
                       return spelled(other.label) == word;
                     }) == 1;
  return alone ? word : word + "-" + std::to_string(&algorithm - all.data() + 1);
}

std::vector<std::string> class_names(const CasePlan& case_plan, const ModelShape& shape) {
  if (case_plan.dataset.table) return case_plan.dataset.table->classes;
  if (!case_plan.dataset.own_file) {
    const std::vector<std::string>& known = find_dataset(case_plan.dataset.name).class_names;
    if (!known.empty()) return known;
  }
  return plain_class_names(shape);
}

// A minute of one core at most: who waits for a run should not wait for its summary.
constexpr double kMostProducts = 1e11;

// How files like the training data's are read. A generated set has none.
void remember_files(const DatasetPlan& dataset, Posterior& posterior) {
  if (dataset.table) {
    posterior.table = without_groups(*dataset.table);
  } else if (dataset.own_file) {
    // A table that nobody here has read, as on a server: its agents know what its columns mean.
    const FileLayout& layout = dataset.file.layout;
    if (layout.format != FileFormat::kText || !layout.labels.empty()) posterior.layout = layout;
  } else if (const DatasetInfo& info = find_dataset(dataset.name); !info.files.empty()) {
    posterior.layout = info.layout;
  }
  if (posterior.layout && posterior.layout->format == FileFormat::kLibsvm) {
    posterior.layout->features = posterior.shape.features;
  }
}

}  // namespace

DoubleMatrix covariance_of(const TrainedJob& job, const TrialData& data, const Particles& particles) {
  if (data.model->coefficients() == nullptr) return {};
  const auto parameters = static_cast<double>(particles.cols());
  if (static_cast<double>(data.x.rows()) * parameters * parameters > kMostProducts) return {};
  const Settings& settings = job.algorithm->settings;
  const double temperature = settings.has("temperature") ? settings.number("temperature") : 1;
  const RowVector middle = particles.cast<double>().colwise().mean().cast<Real>();
  return posterior_covariance(*data.model, middle, data.all(), temperature).value_or(DoubleMatrix());
}

bool has_posterior(const CasePlan& case_plan) {
  return !is_toy(case_plan.model);
}

Posterior posterior_of(const TrainedJob& job, const TrialData& data, const Particles& particles) {
  const TrainingRows rows{.features = data.x.cols(),
                          .classes = data.classes,
                          .agents = static_cast<Index>(data.sizes.size()),
                          .rows = data.x.rows(),
                          .scaling = data.scaling,
                          .ranges = data.ranges,
                          .covariance = covariance_of(job, data, particles)};
  return posterior_of(job, rows, particles);
}

Posterior posterior_of(const TrainedJob& job, const TrainingRows& rows, const Particles& particles) {
  Posterior out;
  const ModelPlan& model = job.case_plan->model;
  out.type = model.type;
  out.settings = model.settings;
  out.shape = {.features = rows.features, .classes = rows.classes, .labels = model.labels};
  out.class_names = class_names(*job.case_plan, out.shape);
  out.scaling = rows.scaling;
  out.ranges = rows.ranges;
  out.covariance = rows.covariance;
  remember_files(job.case_plan->dataset, out);
  out.particles = particles;
  out.facts = {.experiment = job.plan->name,
               .dataset = job.case_plan->dataset.name,
               .algorithm = job.algorithm->label,
               .method = job.algorithm->method->name,
               .rounds = job.rounds > 0 ? job.rounds : job.algorithm->rounds,
               .agents = rows.agents,
               .rows = rows.rows,
               .trial = job.trial,
               .seed = job.plan->seed,
               .version = FEDSTEIN_VERSION,
               .precision = kRealName};
  return out;
}

std::string posterior_file_name(const TrainedJob& job) {
  const std::string prefix = job.plan->cases.size() > 1 ? case_word(*job.plan, *job.case_plan) + "-" : "";
  return prefix + algorithm_word(*job.case_plan, *job.algorithm) + "-" + std::to_string(job.trial) + kPosteriorEnding;
}

}  // namespace fedstein
