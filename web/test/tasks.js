// SPDX-License-Identifier: Apache-2.0
// Reports of plain experiments, which ask for no figures: a classification with eight methods, a regression, one method
// alone, two cases.
import { compare, generator, rank, report, run, series } from "./fixture.js";

/** @typedef {import("../src/data").Run} Run */
/** @typedef {import("./fixture.js").Label} Label */

/** @type {Label[]} */
const kEight = ["c-DSVGD", "DSVGD", "FedAvg", "SCAFFOLD", "SVGD", "FedProx", "U-DSVGD", "PVI"];

/** @param {Label[]} labels @param {string[]} columns @returns {Run["coefficients"]} */
function coefficientsOf(labels, columns) {
  const random = generator(17);
  return labels.map((algorithm) => ({
    case: 0,
    algorithm,
    link: "log-odds",
    level: 0.9,
    of_posterior: algorithm !== "PVI",
    count: columns.length + 1,
    particles: 8,
    distinct: algorithm === "PVI" ? null : 3.154,
    ksd: algorithm === "PVI" ? null : 1.026,
    rows: ["(intercept)", ...columns].map((name, at) => {
      const mean = Number((Math.sin(at) + 0.1 * random()).toFixed(4));
      return { name, outcome: "", mean, low: Number((mean - 0.3).toFixed(4)), high: Number((mean + 0.3).toFixed(4)), sd: 0.182, above_zero: mean > 0 ? 0.9 : 0.1, deviation: at === 0 ? null : 2 };
    }),
  }));
}

// A classification with eight methods and five trials, of which nothing was asked but the methods.
export function eightReport() {
  const one = run({
    name: "waveform",
    title: "Waveform, eight methods",
    trials: 5,
    cases: [{ name: "waveform", coordinates: [], agents: 20, dataset: "waveform" }],
    series: kEight.map((label) => series({ label, rounds: 60, trials: 5, agents: 20, seed: 3, metrics: ["accuracy", "log_likelihood", "ece", "mce", "brier"] })),
  });
  const random = generator(4);
  one.reliability = kEight.map((algorithm) => ({
    case: 0,
    algorithm,
    round: 60,
    bins: Array.from({ length: 10 }, (_, bin) => {
      const count = bin < 5 ? 0 : Math.round(120 * (bin - 3) * (0.7 + 0.6 * random()));
      const confidence = (bin + 0.5) / 10;
      return { low: bin / 10, high: (bin + 1) / 10, count, confidence: count ? confidence : null, accuracy: count ? Number((confidence - 0.05 * random()).toFixed(4)) : null };
    }),
    ece: 0.0123,
    mce: 0.0456,
  }));
  const shares = [0, 0.1, 0.2, 0.3, 0.4, 0.5];
  one.abstention = one.series.map((entry) => {
    const base = entry.figures["accuracy"]?.mean.at(-1) ?? 0.8;
    return { case: 0, algorithm: entry.algorithm, shares, accuracy: { mean: shares.map((share) => Number((base + 0.2 * share).toFixed(4))), error: shares.map(() => 0.004) } };
  });
  one.coefficients = coefficientsOf(kEight, ["age", "weight", "sex=m", "blood pressure, resting, in mm of mercury", "oldpeak"]);
  rank(compare(one, "accuracy", 0.8), "log_likelihood");
  const verdict = one.comparison?.rows[2];
  if (verdict) verdict.verdict = { kind: "overconfident", text: "overconfident: on test rows the predicted class has probability 0.887 in the mean and is right in 74.5 %; try `fedstein calibrate` on rows held out, or a method with more particles (2 of 5 trials; this is trial 1)" };
  const slow = one.comparison?.rows[5];
  if (slow) slow.verdict = { kind: "still improving", text: "still improving: the log-likelihood on test rows rises by 0.003 a round over the last 12 rounds; more rounds would help" };
  return report(one);
}

// A network that learns a number: spread by layer, predictions, coverage. One trial.
export function regressionReport() {
  /** @type {Label[]} */
  const labels = ["DSVGD", "FedAvg"];
  const random = generator(8);
  const one = run({
    name: "mpg",
    title: "Miles per gallon",
    trials: 1,
    cases: [{ name: "mpg", coordinates: [], agents: 5, dataset: "mpg.csv", model: "bnn-regression" }],
    series: labels.map((label) => series({ label, rounds: 12, trials: 1, agents: 5, seed: 5, metrics: ["rmse", "log_likelihood", "coverage"] })),
  });
  one.predicted = labels.map((algorithm) => ({
    case: 0,
    algorithm,
    level: 0.9,
    points: Array.from({ length: 80 }, () => {
      const predicted = 10 + 30 * random();
      const observed = predicted + 8 * (random() - 0.5);
      return /** @type {[number, number, number, number]} */ ([predicted, predicted - 3.5, predicted + 3.5, observed].map((value) => Number(value.toFixed(2))));
    }),
  }));
  const levels = [0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.99];
  one.coverage = labels.map((algorithm) => ({ case: 0, algorithm, levels, covered: { mean: levels.map((level) => Number((level ** 1.3).toFixed(3))), error: levels.map(() => null) } }));
  one.layers = [{ case: 0, algorithm: "DSVGD", layers: ["layer 1, weights", "layer 1, biases", "outputs, weights", "outputs, biases"].map((name, at) => ({ name, parameters: 40, spread: 0.1 + 0.2 * at, size: 0.5 })) }];
  return report(rank(compare(one, "rmse", 2), "rmse"));
}

// One method by itself: no winner.
export function aloneReport() {
  const one = run({
    name: "titanic",
    title: "",
    trials: 3,
    cases: [{ name: "titanic", coordinates: [], agents: 3, dataset: "titanic.csv" }],
    series: [series({ label: "c-DSVGD", rounds: 20, trials: 3, agents: 3, seed: 6 })],
    coefficients: coefficientsOf(["c-DSVGD"], ["Age", "Fare", "Sex=male"]),
  });
  return report(rank(compare(one, "accuracy", 0.75), "log_likelihood"));
}

export function twoCasesReport() {
  /** @type {Label[]} */
  const labels = ["c-DSVGD", "FedAvg", "SVGD"];
  const cases = ["rows at random", "one class an agent"].map((name) => ({ name, coordinates: /** @type {[string, string][]} */ ([["case", name]]), agents: 10, dataset: "digits", split: name }));
  const one = run({
    name: "splits",
    title: "Two splits",
    trials: 4,
    cases,
    series: cases.flatMap((_, at) => labels.map((label) => series({ case: at, label, rounds: 15, trials: 4, agents: 10, seed: at + 1 }))),
  });
  return report(rank(compare(one, "accuracy", 0.75), "log_likelihood"));
}
