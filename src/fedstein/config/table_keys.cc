// SPDX-License-Identifier: Apache-2.0
#include "fedstein/config/table_keys.h"

#include "fedstein/config/preset.h"
#include "fedstein/data/partition.h"

namespace fedstein {
namespace {

std::string text(const char* value) {
  return value;
}

std::vector<std::string> partition_names() {
  std::vector<std::string> names;
  for (const PartitionKind kind : {PartitionKind::kIid,
                                   PartitionKind::kLabelFractions,
                                   PartitionKind::kClassesPerAgent,
                                   PartitionKind::kDirichlet,
                                   PartitionKind::kQuantity,
                                   PartitionKind::kByGroup}) {
    names.emplace_back(partition_name(kind));
  }
  return names;
}

std::vector<std::string> claim_names() {
  constexpr int kClaims = 13;  // the checks of `reproduce --check`
  std::vector<std::string> names;
  for (int claim = 1; claim <= kClaims; ++claim) names.push_back("C" + std::to_string(claim));
  return names;
}

}  // namespace

std::vector<Setting> experiment_keys() {
  const PartitionOptions standard;
  return {
      {.key = "name",
       .standard = text(""),
       .help = "letters, digits, - and _; also the folder under runs/",
       .when_absent = WhenAbsent::kMistake},
      {.key = "title", .standard = text(""), .help = "one line for reports"},
      {.key = "preset",
       .standard = text(kOwnPreset),
       .help = "what is meant where the file says nothing: fedstein's own defaults, or the paper's settings (below)",
       .choices = {kOwnPreset, kPaperPreset}},
      {.key = "dataset",
       .standard = text(""),
       .help =
           "a name of `fedstein data list`, or a path (with a / or a dot); a list gives one case each; none for the "
           "gaussian-mixture models",
       .plurality = Plurality::kOneOrList,
       .when_absent = WhenAbsent::kElsewhere},
      {.key = "partition",
       .standard = text("iid"),
       .help = "how the rows are divided among the agents",
       .choices = partition_names()},
      {.key = "agents",
       .standard = Index{0},
       .help = "number of agents K; with partition by-column 0 or no value means one per group; a gaussian-mixture has "
               "one per factor",
       .least = 0,
       .most = 1e6,
       .when_absent = WhenAbsent::kElsewhere},
      {.key = "trials",
       .standard = Index{1},
       .help = "number of repetitions, each with its own seed, split and partition",
       .least = 1,
       .most = 1e5},
      {.key = "seed", .standard = Index{1}, .help = "seed of all random numbers", .least = 0},
      {.key = "claims",
       .standard = text(""),
       .help = "claims of the paper that `reproduce --check` tests on this experiment",
       .choices = claim_names(),
       .plurality = Plurality::kList},
      {.key = "heavy_share",
       .standard = standard.heavy_share,
       .help = "label-fractions: share of a label's rows that goes to the half of the agents assigned to it",
       .least = 0,
       .most = 1},
      {.key = "classes_per_agent",
       .standard = standard.classes,
       .help = "classes-per-agent: number of classes each agent holds",
       .least = 1,
       .most = 1e6},
      {.key = "dirichlet_alpha",
       .standard = standard.alpha,
       .help = "dirichlet, quantity: concentration; smaller values divide the labels (quantity: the rows, whatever "
               "their labels) more unevenly",
       .least = 1e-6,
       .most = 1e6},
      {.key = "feature_noise",
       .standard = 0.0,
       .help =
           "agents see their scaled features with Gaussian noise, agent k of K with variance feature_noise * k / K; "
           "test rows stay clean; goes with every partition",
       .least = 0,
       .most = 1e6},
      {.key = "test_fraction",
       .standard = 0.2,
       .help = "share of rows held out at random for testing; when absent, the dataset's own split (for a file of your "
               "own, 0.2)",
       .least = kAboveZero,
       .most = 0.999,
       .when_absent = WhenAbsent::kElsewhere},
      {.key = "unseen_class",
       .standard = Index{0},
       .help =
           "three or more classes: one, counted from 0, that nobody learns from or is judged by; its test rows are the "
           "foreign set 'class' (see evaluation.unseen); when absent, none",
       .least = 0,
       .most = 1e6,
       .when_absent = WhenAbsent::kElsewhere},
      {.key = "unseen_group",
       .standard = Index{0},
       .help = "sets with groups: one, as the data has it, that nobody learns from or is judged by; its rows are the "
               "foreign set 'group'; when absent, none",
       .least = 0,
       .when_absent = WhenAbsent::kElsewhere},
      {.key = "scaling",
       .standard = text("auto"),
       .help =
           "how features are scaled; auto: standardise, which scales a regression's target too (images: pixel, LEAF "
           "files: none); standard: the dataset's own rule, as the paper has it (for a file of your own, none)",
       .choices = {"auto", "standard", "none", "unit-interval", "standardise", "pixel", "fixed"}},
  };
}

std::vector<Setting> federation_keys() {
  return {
      {.key = "rounds", .standard = Index{100}, .help = "communication rounds I", .least = 1, .most = 1e8},
      {.key = "scheduler",
       .standard = text("auto"),
       .help = "who takes part in a round: one agent (in turn, at random, by its rows), a fraction, or all; auto: all "
               "for methods that take several agents a round, round-robin for the others",
       .choices = {"auto", "round-robin", "random", "fraction", "weighted", "all"}},
      {.key = "fraction",
       .standard = 1.0,
       .help = "scheduler fraction: share of the agents that takes part in a round",
       .least = kAboveZero,
       .most = 1},
  };
}

std::vector<Setting> validation_keys() {
  return {
      {.key = "validation",
       .standard = 0.0,
       .help =
           "share of its own rows that every agent keeps back: not learned from, but judged as validation_* figures; "
           "0 keeps none",
       .least = 0,
       .most = 0.9},
      {.key = "stop",
       .standard = text("rounds"),
       .help = "when a run ends: rounds, after all of them; plateau, when the validation log-likelihood stands still "
               "(needs validation)",
       .choices = {"rounds", "plateau"}},
  };
}

std::vector<Setting> evaluation_keys() {
  return {
      {.key = "every",
       .standard = Index{1},
       .help = "rounds between evaluations; the last is always evaluated",
       .least = 1,
       .most = 1e8},
      {.key = "bins",
       .standard = Index{10},
       .help = "number of bins of the reliability diagram",
       .least = 1,
       .most = 1e4},
      {.key = "ksd",
       .standard = false,
       .help = "report KSD and spread relative to the exact posterior in every evaluated round"},
      {.key = "particles",
       .standard = text("last"),
       .help = "rounds whose particles are stored",
       .choices = {"none", "last", "evaluated", "all"}},
      {.key = "f1", .standard = false, .help = "two classes: report the F1 score of class +1"},
      {.key = "abstention",
       .standard = 0.1,
       .help = "classification: report answered@SHARE, the accuracy without this share of the least confident rows; "
               "of 0.1, or of a single share, the table has a column, 'surest 90 %'",
       .least = 0,
       .most = 0.999,
       .plurality = Plurality::kList},
      {.key = "unseen",
       .standard = text(""),
       .help =
           "sets of foreign rows: shuffled, rotated, inverted, noise, far, or another dataset with as many features; "
           "report unseen@NAME and unseen_total@NAME, how well epistemic and total uncertainty tell them from test "
           "rows (AUROC, at most 2000 rows of each)",
       .plurality = Plurality::kList},
      {.key = "by_group",
       .standard = false,
       .help =
           "sets with groups: report accuracy@GROUP (a regression: rmse@GROUP) and log_likelihood@GROUP, the figures "
           "of each group's test rows by themselves"},
      {.key = "kl_bandwidths",
       .standard = 0.55,
       .help = "gaussian-mixture models: KDE bandwidths at which KL(q || q_opt) is computed; when absent, [0.55]",
       .least = kAboveZero,
       .plurality = Plurality::kList,
       .when_absent = WhenAbsent::kElsewhere},
  };
}

std::vector<Setting> figure_keys() {
  return {
      {.key = "kind",
       .standard = text(""),
       .help =
           "rounds and bytes: curves; sweep and bars: last round against x; map: class probability and epistemic doubt "
           "over the plane, with training rows of the first trial on top (classes and two features only); "
           "abstention, reliability and posterior diagrams",
       .choices =
           {"rounds", "bytes", "sweep", "bars", "map", "abstention", "reliability", "posterior-1d", "posterior-2d"},
       .when_absent = WhenAbsent::kMistake},
      {.key = "title", .standard = text(""), .help = "caption"},
      {.key = "metric",
       .standard = text(""),
       .help = "rounds, bytes, sweep and bars: the metric to draw; kl@0.1 is kl at another bandwidth",
       .when_absent = WhenAbsent::kElsewhere},
      {.key = "x",
       .standard = text(""),
       .help = "sweep and bars: dataset, case, or the last word of a swept key",
       .when_absent = WhenAbsent::kElsewhere},
  };
}

}  // namespace fedstein
