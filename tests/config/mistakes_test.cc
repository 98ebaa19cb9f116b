// SPDX-License-Identifier: Apache-2.0
// Every kind of mistake, with its line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/documents.h"
#include "support/temporary_folder.h"

namespace fedstein {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kDsvgd = "[[algorithm]]\ntype = \"dsvgd\"\n";

struct Wrong {
  const char* name;
  std::string document;
  std::vector<std::string> said;
};

class Mistaken : public testing::TestWithParam<Wrong> {};

TEST_P(Mistaken, IsSaidWithItsPlace) {
  const std::string all = complaints(GetParam().document);
  for (const std::string& part : GetParam().said) EXPECT_THAT(all, HasSubstr(part));
}

const std::vector<Wrong> kKeys = {
    {"Syntax", "[experiment]\nname = \n", {"test.toml:2: not TOML: "}},
    {"UnknownTable",
     experiment("heart", "[federaton]\nrounds = 3\n" + kDsvgd),
     {"test.toml:5: federaton is no table; did you mean 'federation'? allowed: experiment, data, model"}},
    {"UnknownKey",
     experiment("heart", "[federation]\nround = 3\n" + kDsvgd),
     {"test.toml:6: federation.round is no key of this table; did you mean 'rounds'? allowed: rounds, scheduler"}},
    {"UnknownSetting",
     experiment("heart", kDsvgd + "particels = 3\n"),
     {"test.toml:7: algorithm.particels is no key of this table; did you mean 'particles'?"}},
    {"HyperparameterOfNobody",
     experiment("heart", "[hyperparameters]\na0 = 0.1\n" + kDsvgd),
     {"test.toml:6: hyperparameters.a0 is a setting of no listed method; "}},
    {"TableForList",
     experiment("heart", "[algorithm]\ntype = \"dsvgd\"\n"),
     {"test.toml:5: algorithm is written otherwise; write [[algorithm]]"}},
    {"ListForTable",
     "[[experiment]]\nname = \"a\"\n",
     {"test.toml:1: experiment is written otherwise; write one table"}},
    {"ValueForTable", "experiment = 3\n", {"test.toml:1: experiment is written otherwise"}},
    {"WrongType",
     experiment("heart", "[federation]\nrounds = \"ten\"\n" + kDsvgd),
     {"test.toml:6: federation.rounds is 'ten'; allowed: an integer of at least 1"}},
    {"NumberForInteger",
     experiment("heart", "[federation]\nrounds = 2.5\n" + kDsvgd),
     {"test.toml:6: federation.rounds is 2.5; allowed: an integer"}},
    {"Date",
     experiment("heart", "[federation]\nrounds = 1979-05-27\n" + kDsvgd),
     {"federation.rounds is a date or time"}},
    {"OutOfRange",
     experiment("heart", kDsvgd + "particles = 0\n"),
     {"test.toml:7: algorithm.particles is 0; allowed: an integer of at least 1"}},
    {"NoHiddenLayer",
     experiment("mnist", "[model]\nhidden = []\n" + kDsvgd),
     {"test.toml:6: model.hidden is []; allowed: an integer of at least 1 and at most 1e+06, or a list of such"}},
    {"EmptyLayer", experiment("mnist", "[model]\nhidden = [4, 0]\n" + kDsvgd), {"model.hidden is [4, 0]; allowed: an"}},
    {"LayersInLayers",
     experiment("mnist", "[model]\nhidden = [4, [3]]\n" + kDsvgd),
     {"test.toml:6: model.hidden is [4, [3]]; allowed: an integer"}},
    {"TooManyLayers",
     experiment("mnist", "[model]\nhidden = [4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4]\n" + kDsvgd),
     {"the network has 17 hidden layers; it must have 1 to 16"}},
    {"NotFinite",
     experiment("heart", kDsvgd + "temperature = inf\n"),
     {"test.toml:7: algorithm.temperature is inf; allowed: a number of at least 1e-09"}},
    {"Choice",
     experiment("heart", kDsvgd + "distillation = \"scores\"\n"),
     {"is 'scores'; did you mean 'score'? allowed: one of score, svgd, reference"}},
    {"UnknownMethod",
     experiment("heart", "[[algorithm]]\ntype = \"dsvdg\"\n"),
     {"test.toml:6: algorithm.type is 'dsvdg'; did you mean 'dsvgd'? allowed: one of dsvgd, "}},
    {"MethodWithoutType",
     experiment("heart", "[[algorithm]]\nlabel = \"a\"\n"),
     {"test.toml:5: algorithm.type is missing"}},
    {"NoExperiment", kDsvgd, {"test.toml: has no table [experiment]"}},
    {"NoName", "[experiment]\ndataset = \"heart\"\nagents = 2\n" + kDsvgd, {"test.toml:1: experiment.name is missing"}},
    {"NameUnfitForAFolder",
     "[experiment]\nname = \"../x\"\ndataset = \"heart\"\nagents = 2\n" + kDsvgd,
     {"test.toml:2: experiment.name is '../x'; allowed: up to 100 letters, digits"}},
    {"UnknownDataset",
     experiment("covertipe", kDsvgd),
     {"test.toml:3: experiment.dataset is 'covertipe'; there is no such dataset; did you mean 'covertype'?"}},
    {"UnknownModel",
     experiment("heart", "[model]\ntype = \"svm\"\n" + kDsvgd),
     {"test.toml:6: model.type is 'svm'; allowed: one of"}},
    {"UnknownClaim",
     experiment("heart", "claims = [\"C1\", \"C99\"]\n" + kDsvgd),
     {"test.toml:5: experiment.claims is ['C1', 'C99']; did you mean 'C9'? allowed: a list"}},
};

const std::vector<Wrong> kCombinations = {
    {"NoDataset", "[experiment]\nname = \"a\"\nagents = 2\n" + kDsvgd, {"test.toml:1: experiment.dataset is missing"}},
    {"NoAgents",
     "[experiment]\nname = \"a\"\ndataset = \"heart\"\n" + kDsvgd,
     {"test.toml:1: experiment.agents is missing"}},
    {"DatasetOfAToy",
     experiment("heart", "[model]\ntype = \"gaussian-mixture-1d\"\n" + kDsvgd),
     {"test.toml:3: experiment.dataset is 'heart'; the model gaussian-mixture-1d brings its data with it"}},
    {"NpvOnANetwork",
     experiment("kin8nm", "[[algorithm]]\ntype = \"npv\"\n"),
     {"test.toml:6: algorithm.type is 'npv'; it cannot learn the bnn-regression of kin8nm: the model's second "
      "derivatives"}},
    {"PviWithAUniformPrior",
     "[experiment]\nname = \"a\"\n[model]\ntype = \"gaussian-mixture-1d\"\n[[algorithm]]\ntype = \"pvi\"\n",
     {"test.toml:6: algorithm.type is 'pvi'; it cannot learn"}},
    {"MoreAgentsThanRows",
     experiment("heart", "[[case]]\nname = \"many\"\n\"experiment.agents\" = 217\n" + kDsvgd),
     {"test.toml:7: experiment.agents is 217; heart has 216 rows to train on"}},
    {"ZeroAgents",
     "[experiment]\nname = \"a\"\ndataset = \"heart\"\nagents = 0\n" + kDsvgd,
     {"test.toml:4: experiment.agents is 0; at least 1"}},
    {"LabelFractionsOfManyClasses",
     experiment("mnist", "partition = \"label-fractions\"\n" + kDsvgd),
     {"test.toml:5: experiment.partition is 'label-fractions'; mnist is a multiclass set"}},
    {"OddAgentsForLabelFractions",
     "[experiment]\nname = \"a\"\ndataset = \"heart\"\nagents = 3\npartition = \"label-fractions\"\n" + kDsvgd,
     {"test.toml:4: experiment.agents is 3; the partition label-fractions needs an even number"}},
    {"DirichletOfARegression",
     experiment("kin8nm", "partition = \"dirichlet\"\n" + kDsvgd),
     {"experiment.partition is 'dirichlet'; kin8nm is a regression set"}},
    {"TooManyClassesPerAgent",
     experiment("heart", "partition = \"classes-per-agent\"\nclasses_per_agent = 3\n" + kDsvgd),
     {"test.toml:6: experiment.classes_per_agent is 3; heart has 2 classes"}},
    {"TooFewClassesInAll",
     experiment("mnist", "partition = \"classes-per-agent\"\nclasses_per_agent = 3\n" + kDsvgd),
     {"test.toml:4: experiment.agents is 2; with 3 classes each"}},
    {"ByColumnWithoutGroups",
     experiment("heart", "partition = \"by-column\"\n" + kDsvgd),
     {"test.toml:5: experiment.partition is 'by-column'; heart has no groups"}},
    {"KeyOfAnotherPartition",
     experiment("heart", "heavy_share = 0.9\n" + kDsvgd),
     {"test.toml:5: experiment.heavy_share has no effect: it is for the partition label-fractions only"}},
    {"SeveralAgentsForDsvgd",
     experiment("heart", "[federation]\nscheduler = \"all\"\n" + kDsvgd),
     {"test.toml:6: federation.scheduler is 'all'; dsvgd takes one agent a round"}},
    {"AFractionOfSeveralForDsvgd",
     "[experiment]\nname = \"a\"\ndataset = \"heart\"\nagents = 10\n" + kDsvgd +
         "scheduler = \"fraction\"\nfraction = 0.3\n",
     {"test.toml:7: algorithm.scheduler is 'fraction'; dsvgd takes one agent a round"}},
    {"FractionWithoutItsScheduler",
     experiment("heart", "[federation]\nfraction = 0.5\n" + kDsvgd),
     {"test.toml:6: federation.fraction has no effect"}},
    {"ClassifierOnARegression",
     experiment("kin8nm", "[model]\ntype = \"logistic-regression\"\n" + kDsvgd),
     {"test.toml:6: model.type is 'logistic-regression'; kin8nm is a regression set; allowed for it: bnn-regression"}},
    {"SettingOfAnotherModel",
     experiment("heart", "[model]\nhidden = 20\n" + kDsvgd),
     {"test.toml:6: model.hidden has no effect: the model is logistic-regression, which lacks it"}},
    {"ChoiceOfAnotherModel",
     experiment("heart", "[model]\nloss = \"student\"\n" + kDsvgd),
     {"test.toml:6: model.loss is 'student'; allowed: one of cross-entropy, beta"}},
    {"ChoiceOfAnotherMethod",
     experiment("heart", "[hyperparameters]\nstart = \"usual\"\n" + kDsvgd + "[[algorithm]]\ntype = \"fedavg\"\n"),
     {"test.toml:6: hyperparameters.start is 'usual'; allowed for dsvgd: one of prior, near-zero"}},
    {"KlWithoutAToy",
     experiment("heart", "[evaluation]\nkl_bandwidths = [0.1]\n" + kDsvgd),
     {"test.toml:6: evaluation.kl_bandwidths has no effect"}},
    {"F1OfARegression",
     experiment("kin8nm", "[evaluation]\nf1 = true\n" + kDsvgd),
     {"test.toml:6: evaluation.f1 has no effect: only two classes have an F1 score here"}},
    {"AbstentionOfARegression",
     experiment("kin8nm", "[evaluation]\nabstention = [0.1]\n" + kDsvgd),
     {"test.toml:6: evaluation.abstention has no effect: only classes have an accuracy"}},
    {"AbstentionFromAllRows",
     experiment("heart", "[evaluation]\nabstention = [0.1, 1]\n" + kDsvgd),
     {"test.toml:6: evaluation.abstention is [0.1, 1]; allowed: a list, each item a number"}},
    {"AbstentionFigureOfARegression",
     experiment("kin8nm", kDsvgd + "[[figure]]\nkind = \"abstention\"\n"),
     {"test.toml:7: figure.kind is 'abstention'; no case of the experiment has classes"}},
    {"PredictedFigureOfClasses",
     experiment("heart", kDsvgd + "[[figure]]\nkind = \"predicted\"\n"),
     {"test.toml:7: figure.kind is 'predicted'; no case of the experiment is a regression"}},
    {"CoverageFigureOfClasses",
     experiment("heart", kDsvgd + "[[figure]]\nkind = \"coverage\"\n"),
     {"test.toml:7: figure.kind is 'coverage'; no case of the experiment is a regression"}},
    {"CoefficientsOfANetwork",
     experiment("kin8nm", kDsvgd + "[[figure]]\nkind = \"coefficients\"\n"),
     {"test.toml:7: figure.kind is 'coefficients'; no case has a model with coefficients"}},
    {"SpreadByLayerWithoutLayers",
     experiment("heart", kDsvgd + "[[figure]]\nkind = \"spread\"\n"),
     {"test.toml:7: figure.kind is 'spread'; no case has a network"}},
    {"CoverageOfAMetric",
     experiment("kin8nm", kDsvgd + "[[figure]]\nkind = \"coverage\"\nmetric = \"rmse\"\n"),
     {"test.toml:9: figure.metric is 'rmse'; the kind coverage has none"}},
    {"DuplicateLabels",
     experiment("heart", kDsvgd + kDsvgd),
     {"test.toml:8: algorithm.label is 'dsvgd'; another method is called so"}},
    {"DuplicateCases",
     experiment("heart", "[[case]]\nname = \"a\"\n[[case]]\nname = \"a\"\n" + kDsvgd),
     {"test.toml:7: case.name is 'a'; another case is called so"}},
    {"DuplicateDatasets",
     "[experiment]\nname = \"a\"\ndataset = [\"heart\", \"heart\"]\nagents = 2\n" + kDsvgd,
     {"test.toml: gives two cases the name 'heart'"}},
    {"UnknownCase",
     experiment("heart", "[[case]]\nname = \"small\"\n" + kDsvgd + "cases = [\"smal\"]\n"),
     {"test.toml:9: algorithm.cases is 'smal'; there is no such [[case]]; did you mean 'small'?"}},
    {"CaseWithoutMethods",
     experiment("heart", "[[case]]\nname = \"a\"\n[[case]]\nname = \"b\"\n" + kDsvgd + "cases = [\"a\"]\n"),
     {"test.toml:7: case 'heart, b' has no method"}},
    {"DataOfANamedSet",
     experiment("heart", "[data]\nheader = true\n" + kDsvgd),
     {"test.toml:6: data.header has no effect"}},
    {"IdxWithoutLabels",
     experiment("x.idx", "[data]\nformat = \"idx\"\n" + kDsvgd),
     {"test.toml:5: data.label_file is missing"}},
    {"LibsvmWithoutFeatures",
     experiment("x.txt", "[data]\nformat = \"libsvm\"\n" + kDsvgd),
     {"test.toml:5: data.features is missing"}},
    {"LongSeparator",
     experiment("x.txt", "[data]\nseparator = \"ab\"\n" + kDsvgd),
     {"test.toml:6: data.separator is 'ab'; allowed: one character"}},
    {"UnevenLabels",
     experiment("x.txt", "[data]\nlabels_from = [0, 1]\n" + kDsvgd),
     {"test.toml:6: data.labels_to has 0 labels and labels_from 2"}},
    {"ParticlesOfNoMachine",
     experiment("mnist", kDsvgd + "particles = 1000000000000\n"),
     {"algorithm.particles is 1000000000000; with 79510 parameters"}},
};

const std::vector<Wrong> kOverrides = {
    {"SweepWithoutList",
     experiment("heart", "[sweep]\n\"federation.rounds\" = 3\n" + kDsvgd),
     {"test.toml:6: sweep.federation.rounds is 3; allowed: a list"}},
    {"SweepOfAWrongValue",
     experiment("heart", "[sweep]\n\"hyperparameters.particles\" = [1, 0]\n" + kDsvgd),
     {"test.toml:6: sweep.hyperparameters.particles is 0; allowed: an integer of at least 1"}},
    {"SweepOfNothing",
     experiment("heart", "[sweep]\n\"rounds\" = [1]\n" + kDsvgd),
     {"test.toml:6: sweep.rounds is no path to a key"}},
    {"SweepOfTrials",
     experiment("heart", "[sweep]\nexperiment.trials = [1]\n" + kDsvgd),
     {"test.toml:6: sweep.experiment.trials cannot be swept"}},
    {"SweepOfDatasets",
     experiment("heart", "[sweep]\nexperiment.dataset = [\"heart\"]\n" + kDsvgd),
     {"test.toml:6: sweep.experiment.dataset cannot be swept: it takes a list itself"}},
    {"SweepOfTwins",
     experiment("heart", "[sweep]\nfederation.rounds = [2, 2]\n" + kDsvgd),
     {"test.toml:6: sweep.federation.rounds holds 2 twice"}},
    {"SweepOfAnUnknownMethod",
     experiment("heart", "[sweep]\n\"algorithm.fedavg.mu\" = [1]\n" + kDsvgd),
     {"sweep.algorithm.fedavg.mu names no listed method"}},
    {"CaseOfTrials",
     experiment("heart", "[[case]]\nname = \"a\"\n\"experiment.trials\" = 2\n" + kDsvgd),
     {"test.toml:7: case.experiment.trials is the same for all cases"}},
    {"CaseOfASweptKey",
     experiment("heart",
                "[sweep]\nfederation.rounds = [2, 3]\n[[case]]\nname = \"a\"\nfederation.rounds = 2\n" + kDsvgd),
     {"test.toml:9: case.federation.rounds is 2; but it is swept"}},
    {"CaseGivenTwice",
     experiment("heart", "[[case]]\nname = \"a\"\nfederation.rounds = 2\n\"federation.rounds\" = 3\n" + kDsvgd),
     {"test.toml:8: federation.rounds is given twice"}},
    {"QuickWithAnUnknownKey",
     experiment("heart", "[quick]\n\"federation.runds\" = 2\n" + kDsvgd),
     {"test.toml:6: quick.federation.runds is no key of this table; did you mean 'rounds'?"}},
    {"QuickWithAnUnknownCase",
     experiment("heart", "[quick]\n\"case.a.federation.rounds\" = 2\n" + kDsvgd),
     {"quick.case.a.federation.rounds names no [[case]]"}},
    {"FigureWithoutMetric",
     experiment("heart", "[[figure]]\nkind = \"rounds\"\n" + kDsvgd),
     {"test.toml:5: figure.metric is missing; the kind rounds needs it"}},
    {"FigureOfAnUnknownMetric",
     experiment("heart", "[[figure]]\nkind = \"rounds\"\nmetric = \"acuracy\"\n" + kDsvgd),
     {"test.toml:7: figure.metric is 'acuracy'; the experiment has none; did you mean 'accuracy'?"}},
    {"FigureOverNothing",
     experiment("heart", "[[figure]]\nkind = \"sweep\"\nmetric = \"accuracy\"\nx = \"particles\"\n" + kDsvgd),
     {"test.toml:8: figure.x is 'particles'; the experiment has none; allowed: dataset"}},
    {"FigureWithSuperfluousX",
     experiment("heart", "[[figure]]\nkind = \"rounds\"\nmetric = \"accuracy\"\nx = \"dataset\"\n" + kDsvgd),
     {"test.toml:8: figure.x is 'dataset'; the kind rounds has none"}},
    {"PosteriorOfNoToy",
     experiment("heart", "[[figure]]\nkind = \"posterior-1d\"\n" + kDsvgd),
     {"figure.kind is 'posterior-1d'; no case has a gaussian-mixture-1d"}},
    {"MapOfManyFeatures",
     experiment("heart", "[[figure]]\nkind = \"map\"\n" + kDsvgd),
     {"test.toml:5: figure.kind is 'map'; no case of the experiment has classes and two features"}},
    {"MapOfARegression",
     experiment("kin8nm", "[[figure]]\nkind = \"map\"\n" + kDsvgd),
     {"figure.kind is 'map'; no case of the experiment has classes and two features"}},
    {"MapWithAMetric",
     experiment("two-arcs", "[[figure]]\nkind = \"map\"\nmetric = \"accuracy\"\n" + kDsvgd),
     {"figure.metric is 'accuracy'; the kind map has none"}},
};

std::string name_of(const testing::TestParamInfo<Wrong>& given) {
  return given.param.name;
}
INSTANTIATE_TEST_SUITE_P(Key, Mistaken, testing::ValuesIn(kKeys), name_of);
INSTANTIATE_TEST_SUITE_P(Combination, Mistaken, testing::ValuesIn(kCombinations), name_of);
INSTANTIATE_TEST_SUITE_P(Override, Mistaken, testing::ValuesIn(kOverrides), name_of);

TEST(Mistakes, AllAreSaidAtOnceAndOnce) {
  const std::string document =
      "[experiment]\nname = \"a b\"\ndataset = [\"heart\", \"hart\"]\nagents = 2\n[federation]\nrounds = 0\n"
      "[hyperparameters]\nparticles = -1\n[[algorithm]]\ntype = \"dsvgd\"\n[[algorithm]]\ntype = \"svgd\"\n[oops]\n";
  try {
    parsed(document);
    FAIL() << "was accepted";
  } catch (const BadConfiguration& error) {
    std::vector<std::string> places;
    for (const Mistake& mistake : error.mistakes()) places.push_back(mistake.where + " " + mistake.key);
    EXPECT_THAT(places,
                testing::IsSupersetOf({"test.toml:2 experiment.name",
                                       "test.toml:3 experiment.dataset",
                                       "test.toml:6 federation.rounds",
                                       "test.toml:8 hyperparameters.particles",
                                       "test.toml:13 oops"}));
    EXPECT_EQ(places.size(), std::set<std::string>(places.begin(), places.end()).size()) << error.what();
  }
}

// Where there is no usual method to run.
TEST(Mistakes, NoMethodIsOneForARegistryWithoutCDsvgd) {
  Registry registry;
  registry.add(*Registry::standard().find_algorithm("dsvgd"));
  registry.add(*Registry::standard().find_model_type("logistic-regression"));
  ParseOptions options = without_data();
  options.registry = &registry;
  EXPECT_THAT(complaints(experiment("heart"), options), HasSubstr("test.toml: has no [[algorithm]]"));
}

TEST(Mistakes, KeysWithoutEffectAreSaidWithTheOthersButNotAsTheirConsequence) {
  const std::string both = complaints(experiment("heart", "heavy_share = 0.9\n[federation]\nrounds = 0\n" + kDsvgd));
  EXPECT_THAT(both, HasSubstr("test.toml:5: experiment.heavy_share has no effect"));
  EXPECT_THAT(both, HasSubstr("test.toml:7: federation.rounds is 0"));
  const std::string kind = complaints(experiment("heart", "partition = \"label\"\nheavy_share = 0.9\n" + kDsvgd));
  EXPECT_THAT(kind, HasSubstr("test.toml:5: experiment.partition is 'label'"));
  EXPECT_THAT(kind, Not(HasSubstr("heavy_share has no effect")));
  const std::string scheduler =
      complaints(experiment("heart", "[federation]\nscheduler = \"part\"\nfraction = 0.5\n" + kDsvgd));
  EXPECT_THAT(scheduler, Not(HasSubstr("fraction has no effect")));
}

TEST(Mistakes, AKeyThatCountsInOneCaseIsNone) {
  const std::string document =
      "[experiment]\nname = \"a\"\ndataset = [\"./x.csv\", \"heart\"]\nagents = 2\n[data]\nlabels = \"binary\"\n"
      "header = true\n";
  EXPECT_EQ(complaints(document + kDsvgd), "");
  EXPECT_THAT(complaints(document + "label_file = \"y\"\n" + kDsvgd),
              HasSubstr("test.toml:8: data.label_file has no effect: it is for the format idx only"));
}

TEST(Mistakes, DataFilesMustBeThere) {
  const TemporaryFolder folder;
  ParseOptions options;
  options.data_folder = folder.path("");
  EXPECT_THAT(
      complaints(experiment("heart", kDsvgd), options),
      HasSubstr(
          "test.toml:3: experiment.dataset is 'heart'; its file raetsch/csv/heart.csv is not in the data folder"));
  EXPECT_THAT(complaints(experiment("./mine.csv", kDsvgd), options),
              HasSubstr("test.toml:3: experiment.dataset is './mine.csv'; there is no such file"));
  EXPECT_EQ(complaints(experiment("feature-skew", kDsvgd), options), "");  // made, not read
}

TEST(Mistakes, AFileThatIsNotThereIsOne) {
  EXPECT_THAT([] { load_plan("/", without_data()); },
              testing::ThrowsMessage<BadConfiguration>(HasSubstr("/: cannot be")));
  EXPECT_THAT([] { load_plan("/nowhere/at/all.toml", without_data()); },
              testing::ThrowsMessage<BadConfiguration>(HasSubstr("/nowhere/at/all.toml: cannot be read")));
}

// The same file serves `fedstein serve` and, in one process, `fedstein run`.
TEST(Mistakes, AServersTableIsNone) {
  const TemporaryFolder folder;
  const std::string good = folder.write("good.toml", experiment("feature-skew", kDsvgd) + "[server]\nquorum = 1\n");
  EXPECT_EQ(load_plan(good, without_data()).cases.size(), 1U);
  const std::string bad = folder.write("bad.toml", experiment("feature-skew", kDsvgd) + "[server]\nquorum = 3\n");
  EXPECT_THAT([&] { load_plan(bad, without_data()); },
              testing::ThrowsMessage<BadConfiguration>(HasSubstr("server.quorum is 3")));
}

}  // namespace
}  // namespace fedstein
