// SPDX-License-Identifier: Apache-2.0
// Reports of known content, shaped like the experiments whose figures they stand for. The numbers are curves that look
// plausible, from a fixed generator; nothing here claims to be a result.

/** @typedef {import("../src/data").Report} Report */
/** @typedef {import("../src/data").Run} Run */
/** @typedef {import("../src/data").Series} Series */

/** A small congruential generator: the same numbers on every machine. @param {number} seed */
export function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** @param {() => number} random */
function normal(random) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

const round6 = (/** @type {number} */ value) => Number(value.toPrecision(6));

const kMethods = {
  DSVGD: { method: "dsvgd", start: 0.6, end: 0.83, speed: 0.35, centralised: false },
  "U-DSVGD": { method: "u-dsvgd", start: 0.6, end: 0.835, speed: 0.45, centralised: false },
  SVGD: { method: "svgd", start: 0.72, end: 0.84, speed: 0.8, centralised: true },
  DSGLD: { method: "dsgld", start: 0.55, end: 0.79, speed: 0.15, centralised: false },
  SGLD: { method: "sgld", start: 0.7, end: 0.82, speed: 0.5, centralised: true },
  FedAvg: { method: "fedavg", start: 0.52, end: 0.77, speed: 0.08, centralised: false },
  PVI: { method: "pvi", start: 0.6, end: 0.78, speed: 0.3, centralised: false },
  GVI: { method: "gvi", start: 0.7, end: 0.79, speed: 0.9, centralised: true },
  "c-DSVGD": { method: "c-dsvgd", start: 0.6, end: 0.842, speed: 0.6, centralised: false },
  SCAFFOLD: { method: "scaffold", start: 0.55, end: 0.838, speed: 0.3, centralised: false },
  FedProx: { method: "fedprox", start: 0.55, end: 0.78, speed: 0.12, centralised: false },
  "P-DSVGD": { method: "p-dsvgd", start: 0.58, end: 0.82, speed: 0.3, centralised: false },
  NPV: { method: "npv", start: 0.65, end: 0.8, speed: 0.6, centralised: true },
};

/** @typedef {keyof typeof kMethods} Label */

const kRows = { training: 4000, test: 1000, kept_back: 0, features: 21, classes: 2, agents: 20, least: 185, most: 215 };

/**
 * @param {{case?: number, label: Label, rounds: number, trials: number, agents: number, seed: number, shift?: number, metrics?: string[], active?: boolean}} wanted
 * @returns {Series}
 */
export function series({ case: at = 0, label, rounds, trials, agents, seed, shift = 0, metrics = ["accuracy", "log_likelihood", "ece", "mce"], active = true }) {
  const random = generator(seed * 7919 + label.length * 104729 + at * 31);
  const shape = kMethods[label];
  const places = Array.from({ length: rounds }, (_, round) => round + 1);
  /** @param {number} round */
  const level = (round) => shape.start + (shape.end + shift - shape.start) * (1 - Math.exp(-shape.speed * round));
  /** @type {Record<string, (round: number) => number>} */
  const curves = {
    accuracy: level,
    log_likelihood: (round) => -1.5 * (1 - level(round)) - 0.2,
    rmse: (round) => 2 - 1.8 * level(round),
    ece: (round) => 0.25 * (1 - level(round)),
    mce: (round) => 0.6 * (1 - level(round)),
    kl: (round) => 4 * (1 - level(round)) ** 2,
    ksd: (round) => 0.02 + 2 * Math.exp(-shape.speed * round),
    spread: (round) => 0.6 + 0.5 * Math.exp(-0.3 * round),
  };
  /** @type {Series["figures"]} */
  const figures = {};
  for (const metric of metrics) {
    const curve = curves[metric] ?? level;
    const wobble = 0.02 * Math.abs(curve(1));
    const mean = places.map((round) => round6(curve(round) + 0.3 * wobble * normal(random)));
    figures[metric] = { mean, error: places.map(() => (trials > 1 ? round6((wobble * (0.6 + random())) / 2) : null)) };
  }
  return {
    case: at,
    algorithm: label,
    method: shape.method,
    centralised: shape.centralised,
    trials,
    rounds: places,
    bytes: places.map((round) => (shape.centralised ? 0 : round * 2 * 4 * 54 * (label === "FedAvg" ? 1 : 6))),
    seconds: places.map((round) => round6(0.12 * round)),
    figures,
    activity: shape.centralised || !active ? null : { rounds: places, folded: places.map((round) => [(round - 1) % agents]) },
    failures: [],
    errors: [],
  };
}

// What a case may leave out.
const kCase = { model: "logistic-regression", split: "rows at random, equal shares", rows: null, standing: null, guess: null };

/** @typedef {import("../src/data").Case} Case */
/** @typedef {Pick<Case, "name" | "coordinates" | "agents" | "dataset"> & Partial<Case>} SomeCase */

/** @param {Partial<Omit<Run, "cases">> & {cases?: SomeCase[]}} parts @returns {Run} */
export function run({ cases = [], ...parts }) {
  return {
    name: "blr-rounds",
    title: "Bayesian logistic regression against rounds",
    started: "2025-03-01T12:00:00Z",
    finished: "2025-03-01T12:07:31Z",
    version: "0.3.0",
    precision: "float",
    seed: "18446744073709551615",
    trials: 10,
    host: { processor: "AMD EPYC 7B13", threads: 8, system: "Linux 6.1" },
    command: "fedstein reproduce blr-rounds --seed 18446744073709551615",
    configuration: { name: "blr-rounds", trials: 10 },
    document: '[experiment]\nname = "blr-rounds"\ntrials = 10\n',
    cases: cases.map((one) => ({ ...kCase, ...one })),
    series: [],
    reliability: [],
    abstention: [],
    posterior1d: [],
    posterior2d: [],
    coefficients: [],
    maps: [],
    layers: [],
    predicted: [],
    coverage: [],
    figures: [],
    comparison: null,
    claims: [],
    warnings: [],
    ...parts,
  };
}

/** @param {Run[]} runs @returns {Report} */
export function report(...runs) {
  return { format: 1, generated: "2025-03-01T12:08:00Z", version: "0.3.0", runs };
}

/** The table that the program would make of the run's last rounds. @param {Run} one @param {string} metric @param {number} target */
export function compare(one, metric, target) {
  one.comparison = {
    figures: Object.keys(one.series[0]?.figures ?? {}),
    target: `${metric} of ${target}`,
    rows: one.series.map((entry) => {
      const values = entry.figures[metric]?.mean ?? [];
      const at = values.findIndex((_, first) => values.slice(first).every((value) => value !== null && value >= target));
      return {
        case: entry.case,
        algorithm: entry.algorithm,
        figures: Object.fromEntries(Object.entries(entry.figures).map(([name, { mean, error }]) => [name, [mean.at(-1) ?? null, error.at(-1) ?? null]])),
        trials: entry.trials,
        failed: entry.errors.length,
        rounds: entry.rounds.at(-1) ?? 0,
        rounds_to_target: at < 0 ? null : (entry.rounds[at] ?? null),
        bytes_to_target: at < 0 ? null : (entry.bytes[at] ?? null),
        bytes: entry.bytes.at(-1) ?? null,
        seconds: entry.seconds.at(-1) ?? null,
        verdict: { kind: "converged", text: "converged: the log-likelihood on test rows moved by no more than 0.002" },
      };
    }),
  };
  return one;
}

/** What the program would say of who is ahead. @param {Run} one @param {string} figure */
export function rank(one, figure) {
  const sign = figure === "rmse" ? -1 : 1;
  one.cases.forEach((place, index) => {
    const all = one.series
      .filter((entry) => entry.case === index)
      .map((entry) => ({ centralised: entry.centralised, algorithm: entry.algorithm, value: /** @type {[number | null, number | null]} */ ([entry.figures[figure]?.mean.at(-1) ?? null, entry.figures[figure]?.error.at(-1) ?? null]) }))
      .sort((a, b) => sign * ((b.value[0] ?? 0) - (a.value[0] ?? 0)));
    const plain = (/** @type {typeof all} */ entries) => entries.map(({ algorithm, value }) => ({ algorithm, value }));
    const ranked = plain(all.filter((entry) => !entry.centralised));
    const lead = sign * ((ranked[0]?.value[0] ?? 0) - (ranked[1]?.value[0] ?? 0));
    place.standing = {
      figure,
      ranked,
      margin: ranked.length > 1 ? [round6(lead), one.trials > 1 ? round6(0.3 * lead) : null] : null,
      trials: ranked.length > 1 ? one.trials : null,
      beside: plain(all.filter((entry) => entry.centralised)),
      left_out: [],
    };
    place.rows = kRows;
    place.guess = figure === "rmse" ? { rmse: [2.1, 0.02], log_likelihood: [-2.4, 0.01] } : { accuracy: [0.67, 0.004], log_likelihood: [-0.64, 0.003] };
  });
  return one;
}
