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
       .help = "letters, digits, - and _; also names the folder under runs/",
       .when_absent = WhenAbsent::kMistake},
      {.key = "title", .standard = text(""), .help = "title of reports, one line"},
      {.key = "preset",
       .standard = text(kOwnPreset),
       .help = "where defaults come from: fedstein's own, or the paper's settings (below)",
       .choices = {kOwnPreset, kPaperPreset}},
      {.key = "dataset",
       .standard = text(""),
       .help = "a name of `fedstein data list`, or a path (with a / or a dot); a list makes one case of each; not used "
               "by the gaussian-mixture models",
       .plurality = Plurality::kOneOrList,
       .when_absent = WhenAbsent::kElsewhere},
      {.key = "partition",
       .standard = text("iid"),
       .help = "how the rows are divided among the agents",
       .choices = partition_names()},
      {.key = "agents",
       .standard = Index{0},
       .help = "number of agents K; with partition by-column, 0 or no value means one agent per group; a "
               "gaussian-mixture has one agent per factor",
       .least = 0,
       .most = 1e6,
       .when_absent = WhenAbsent::kElsewhere},
      {.key = "trials",
       .standard = Index{1},
       .help = "number of repetitions, each with another seed, split and partition",
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
       .help = "concentration of the Dirichlet distribution; smaller values divide more unevenly: dirichlet the "
               "labels, quantity the numbers of rows",
       .least = 1e-6,
       .most = 1e6},
      {.key = "feature_noise",
       .standard = 0.0,
       .help = "adds Gaussian noise to the agents' scaled features, for agent k of K with variance feature_noise * k / "
               "K; test rows have no noise; works with every partition",
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
       .help = "for three or more classes: a class, counted from 0, that is left out of training and of the test "
               "figures; its test rows form the foreign set 'class' (see evaluation.unseen); when absent, none",
       .least = 0,
       .most = 1e6,
       .when_absent = WhenAbsent::kElsewhere},
      {.key = "unseen_group",
       .standard = Index{0},
       .help = "for data with groups: a group, as the data names it, that is left out of training and of the test "
               "figures; its rows form the foreign set 'group'; when absent, none",
       .least = 0,
       .when_absent = WhenAbsent::kElsewhere},
      {.key = "scaling",
       .standard = text("auto"),
       .help = "how features are scaled; auto: standardise, for regressions the target too (images: pixel, LEAF files: "
               "none); standard: the dataset's own rule as in the paper (for your own file: none)",
       .choices = {"auto", "standard", "none", "unit-interval", "standardise", "pixel", "fixed"}},
  };
}

std::vector<Setting> federation_keys() {
  return {
      {.key = "rounds", .standard = Index{100}, .help = "communication rounds I", .least = 1, .most = 1e8},
      {.key = "scheduler",
       .standard = text("auto"),
       .help = "which agents take part in a round: one (round-robin: in turn, random, weighted: by number of rows), a "
               "fraction, or all; auto: all if the method can take several agents a round, else round-robin",
       .choices = {"auto", "round-robin", "random", "fraction", "weighted", "all"}},
      {.key = "fraction",
       .standard = 1.0,
       .help = "with scheduler fraction: share of the agents that take part in a round",
       .least = kAboveZero,
       .most = 1},
  };
}

std::vector<Setting> validation_keys() {
  return {
      {.key = "validation",
       .standard = 0.0,
       .help = "share of its rows that each agent holds out for validation; reported as validation_* figures; 0: none",
       .least = 0,
       .most = 0.9},
      {.key = "stop",
       .standard = text("rounds"),
       .help = "when a run ends; rounds: after all rounds; plateau: when the validation log-likelihood stops improving "
               "(needs validation)",
       .choices = {"rounds", "plateau"}},
  };
}

std::vector<Setting> evaluation_keys() {
  return {
      {.key = "every",
       .standard = Index{1},
       .help = "rounds between evaluations; the last round is always evaluated",
       .least = 1,
       .most = 1e8},
      {.key = "bins",
       .standard = Index{10},
       .help = "number of bins of the reliability diagram",
       .least = 1,
       .most = 1e4},
      {.key = "ksd",
       .standard = false,
       .help = "report the kernelised Stein discrepancy, and the particles' spread relative to the exact posterior, in "
               "every evaluated round"},
      {.key = "particles",
       .standard = text("last"),
       .help = "rounds whose particles are stored",
       .choices = {"none", "last", "evaluated", "all"}},
      {.key = "f1", .standard = false, .help = "for two classes: report the F1 score of class +1"},
      {.key = "abstention",
       .standard = 0.1,
       .help =
           "for classification: report answered@SHARE, the accuracy without this share of the least confident rows; "
           "for 0.1, or for a single share, the table has a column, 'surest 90 %'",
       .least = 0,
       .most = 0.999,
       .plurality = Plurality::kList},
      {.key = "unseen",
       .standard = text(""),
       .help = "sets of foreign rows: shuffled, rotated, inverted, noise, far, or another dataset with as many "
               "features; report unseen@NAME and unseen_total@NAME, the AUROC with which epistemic and total "
               "uncertainty separate them from test rows (at most 2000 rows of each)",
       .plurality = Plurality::kList},
      {.key = "by_group",
       .standard = false,
       .help = "for data with groups: report accuracy@GROUP (regression: rmse@GROUP) and log_likelihood@GROUP, the "
               "figures on each group's test rows"},
      {.key = "kl_bandwidths",
       .standard = 0.55,
       .help = "for gaussian-mixture models: KDE bandwidths at which KL(q || q_opt) is computed; when absent, [0.55]",
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
           "over the plane, with training rows of the first trial (classes and two features only); reliability: "
           "confidence against accuracy; abstention: accuracy without the least confident rows; posterior-1d, "
           "posterior-2d: density of a gaussian-mixture; coefficients: those of a regression with intervals; spread: "
           "of a "
           "network's particles, by layer; predicted: against observed targets; coverage: of intervals, promised and "
           "found",
       .choices = {"rounds",
                   "bytes",
                   "sweep",
                   "bars",
                   "map",
                   "reliability",
                   "abstention",
                   "posterior-1d",
                   "posterior-2d",
                   "coefficients",
                   "spread",
                   "predicted",
                   "coverage"},
       .when_absent = WhenAbsent::kMistake},
      {.key = "title", .standard = text(""), .help = "caption"},
      {.key = "metric",
       .standard = text(""),
       .help = "rounds, bytes, sweep and bars: the metric to draw; kl@0.1 is kl at bandwidth 0.1",
       .when_absent = WhenAbsent::kElsewhere},
      {.key = "x",
       .standard = text(""),
       .help = "sweep and bars: dataset, case, or the last word of a swept key",
       .when_absent = WhenAbsent::kElsewhere},
  };
}

}  // namespace fedstein
