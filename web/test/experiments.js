// SPDX-License-Identifier: Apache-2.0
// One report per kind of figure, and those that are broken, hostile or large.
import { compare, generator, report, run, series } from "./fixture.js";

/** @typedef {import("../src/data").Run} Run */
/** @typedef {import("./fixture.js").Label} Label */

/** @type {Label[]} */
const kRivals = ["DSVGD", "U-DSVGD", "SVGD", "DSGLD", "SGLD", "FedAvg"];

export function roundsReport() {
  const places = [
    { dataset: "covertype", agents: 2 },
    { dataset: "covertype", agents: 20 },
    { dataset: "twonorm", agents: 2 },
    { dataset: "twonorm", agents: 20 },
  ];
  const all = places.flatMap(({ agents }, at) =>
    kRivals.map((label) => series({ case: at, label, rounds: agents === 2 ? 10 : 100, trials: 10, agents, seed: at + 1, shift: 0.03 * at, metrics: ["accuracy", "log_likelihood", "ece", "mce", "ksd", "spread"] })),
  );
  const failing = all.find((entry) => entry.case === 1 && entry.algorithm === "DSVGD");
  failing?.failures.push(
    { trial: 1, round: 12, agent: 11, kind: "timeout", reason: "no reply within 30 s" },
    { trial: 1, round: 32, agent: 11, kind: "timeout", reason: "no reply within 30 s" },
    { trial: 3, round: 7, agent: 6, kind: "refused", reason: "non-finite update" },
  );
  for (const failure of failing?.failures ?? []) {
    if (failure.trial === 1) failing?.activity?.folded.splice(failure.round - 1, 1, []);
  }
  const one = run({
    cases: places.map(({ dataset, agents }) => ({ name: `${dataset}, K = ${agents}`, coordinates: [["dataset", dataset], ["agents", String(agents)]], agents, dataset })),
    series: all,
    figures: [
      { kind: "rounds", title: "Accuracy against rounds", metric: "accuracy", x: "" },
      { kind: "bytes", title: "Log-likelihood against bytes exchanged", metric: "log_likelihood", x: "" },
    ],
    claims: [
      { name: "C3", claim: "Covertype K=20 N=6: DSVGD reaches 70 % in at most 8 rounds; FedAvg with the released weighting needs at least 10 times as many.", settings: "paper", figures: "DSVGD 4, FedAvg 61 rounds", holds: true },
      { name: "C4", claim: "DSVGD's final accuracy is within 1.5 points of centralised SVGD's.", settings: "paper", figures: "median difference 0.021", holds: false },
      { name: "C5", claim: "DSVGD's rounds to 95 % of its final accuracy grow by less than 3x from K=2 to K=20.", settings: "paper", figures: "not in this run: needs Covertype with K=2 and 20", holds: null },
    ],
    warnings: ["FedAvg (twonorm, K = 2): the particles collapsed in round 9: their spread fell below 0.001."],
  });
  return report(compare(one, "accuracy", 0.75));
}

const gauss = (/** @type {number} */ x, /** @type {number} */ mean, /** @type {number} */ variance) =>
  Math.exp((-0.5 * (x - mean) ** 2) / variance) / Math.sqrt(2 * Math.PI * variance);

/** @param {number[]} values @param {number} cell */
function normalised(values, cell) {
  const sum = values.reduce((a, b) => a + b, 0) * cell;
  return values.map((value) => Number((value / sum).toPrecision(5)));
}

export function toy1dReport() {
  const grid = Array.from({ length: 121 }, (_, at) => Number((-6 + at * 0.1).toFixed(1)));
  const locals = [
    normalised(grid.map((x) => gauss(x, 1, 4)), 0.1),
    normalised(grid.map((x) => gauss(x, -3, 1) + gauss(x, 3, 2)), 0.1),
  ];
  const exact = normalised(grid.map((_, at) => (locals[0]?.[at] ?? 0) * (locals[1]?.[at] ?? 0)), 0.1);
  const random = generator(5);
  const frames = Array.from({ length: 11 }, (_, round) => {
    const share = 1 - Math.exp(-0.5 * round);
    const blurred = normalised(grid.map((x, at) => (1 - share) / 12 + share * (exact[at] ?? 0) + 0.02 * (1 - share) * Math.sin(x)), 0.1);
    const particles = Array.from({ length: 200 }, () => {
      let wanted = random() * 10;
      return grid.find((_, at) => (wanted -= blurred[at] ?? 0) <= 0) ?? 6;
    }).map((x) => Number((x + 0.1 * random()).toFixed(3)));
    return { round, density: blurred, particles };
  });
  return report(
    run({
      name: "toy-1d",
      title: "A mixture that two agents know half of",
      trials: 1,
      cases: [{ name: "toy", coordinates: [], agents: 2, dataset: "gaussian-mixture-1d" }],
      series: [series({ label: "DSVGD", rounds: 10, trials: 1, agents: 2, seed: 3, metrics: ["kl", "ksd", "spread"] })],
      posterior1d: [{ case: 0, algorithm: "DSVGD", grid, exact, locals: locals.map((density, agent) => ({ agent, density })), frames }],
      figures: [{ kind: "posterior-1d", title: "Posterior after each round", metric: "", x: "" }],
    }),
  );
}

export function toy2dReport() {
  const x = Array.from({ length: 50 }, (_, at) => Number((-5 + (10 * at) / 49).toFixed(4)));
  const cell = (10 / 49) ** 2;
  /** @param {(a: number, b: number) => number} density */
  const matrix = (density) => normalised(x.flatMap((b) => x.map((a) => density(a, b))), cell);
  const bent = (/** @type {number} */ a, /** @type {number} */ b) => gauss(a, -1.6, 0.7) * gauss(b, -1, 0.9) + 0.8 * gauss(a, 1.7, 0.9) * gauss(b, 1.3, 0.6);
  const exact = matrix(bent);
  const random = generator(9);
  /** @type {Label[]} */
  const labels = ["GVI", "PVI", "SVGD", "DSVGD"];
  const posterior2d = labels.map((algorithm) => {
    const single = algorithm === "GVI" || algorithm === "PVI";
    const frames = [1, 2, 3, 4, 5].map((round) => {
      const share = single ? 0 : 1 - Math.exp(-0.7 * round);
      const density = matrix((a, b) => share * bent(a, b) + (1 - share) * gauss(a, 0.2, 2.4) * gauss(b, 0.2, 2.2));
      const particles = Array.from({ length: 200 }, () => {
        let wanted = random() / cell;
        const at = Math.max(0, density.findIndex((value) => (wanted -= value) <= 0));
        return /** @type {[number, number]} */ ([Number(((x[at % 50] ?? 0) + 0.1 * random()).toFixed(3)), Number(((x[Math.floor(at / 50)] ?? 0) + 0.1 * random()).toFixed(3))]);
      });
      return { round, density, particles, kl: Number((0.9 * (1 - share)).toPrecision(3)) };
    });
    return { case: 0, algorithm, x, y: x, exact, frames };
  });
  return report(
    run({
      name: "toy-2d",
      title: "A two-dimensional mixture",
      trials: 1,
      cases: [{ name: "toy", coordinates: [], agents: 2, dataset: "gaussian-mixture-2d" }],
      series: labels.map((label) => series({ label, rounds: 5, trials: 1, agents: 2, seed: 4, metrics: ["kl"] })),
      posterior2d,
      figures: [{ kind: "posterior-2d", title: "Contours, approximate over exact", metric: "kl", x: "" }],
    }),
  );
}

export function sweepReport() {
  const sizes = [1, 2, 5, 10, 20, 30];
  /** @type {Label[]} */
  const labels = ["DSVGD", "SVGD", "FedAvg"];
  return report(
    run({
      name: "bnn-particles",
      title: "Accuracy and calibration against the number of particles",
      cases: sizes.map((n) => ({ name: `N = ${n}`, coordinates: [["particles", String(n)]], agents: 20, dataset: "mnist" })),
      series: sizes.flatMap((n, at) =>
        labels.filter((label) => label !== "FedAvg" || n === 1).map((label) => series({ case: at, label, rounds: 10, trials: 5, agents: 20, seed: n, shift: 0.05 * (1 - Math.exp(-n / 6)) })),
      ),
      figures: [
        { kind: "sweep", title: "Accuracy against N", metric: "accuracy", x: "particles" },
        { kind: "sweep", title: "MCE against N", metric: "mce", x: "particles" },
      ],
    }),
  );
}

export function nineSetsReport() {
  const sets = ["covertype", "twonorm", "ringnorm", "waveform", "image", "german", "heart", "diabetis", "breast-cancer"];
  /** @type {Label[]} */
  const labels = ["DSVGD", "U-DSVGD", "SVGD", "NPV"];
  return report(
    run({
      name: "blr-datasets",
      title: "Nine datasets",
      cases: sets.map((dataset) => ({ name: dataset, coordinates: [["dataset", dataset]], agents: 2, dataset })),
      series: sets.flatMap((_, at) => labels.map((label) => series({ case: at, label, rounds: 4, trials: 10, agents: 2, seed: at, shift: 0.12 * Math.sin(at) }))),
      figures: [{ kind: "bars", title: "Accuracy on nine datasets", metric: "accuracy", x: "dataset" }],
    }),
  );
}

export function reliabilityReport() {
  const widths = [50, 100, 300, 500];
  /** @type {Label[]} */
  const labels = ["FedAvg", "SVGD", "DSVGD"];
  const random = generator(12);
  const reliability = widths.flatMap((width, at) =>
    labels.map((algorithm) => {
      const gap = algorithm === "FedAvg" ? 0.08 + width / 4000 : 0.03;
      const bins = Array.from({ length: 10 }, (_, bin) => {
        const confidence = (bin + 0.6) / 10;
        const count = bin === 0 ? 0 : Math.round(20 * 1.8 ** bin * (0.7 + 0.6 * random()));
        return { low: bin / 10, high: (bin + 1) / 10, count, confidence: count ? confidence : null, accuracy: count ? Number(Math.max(0, confidence - gap * (1 + 0.6 * random())).toFixed(4)) : null };
      });
      return { case: at, algorithm, round: 10, bins, ece: Number(gap.toFixed(4)), mce: Number((1.6 * gap).toFixed(4)) };
    }),
  );
  return report(
    run({
      name: "reliability",
      title: "Reliability for 50 to 500 hidden units",
      cases: widths.map((width) => ({ name: `${width} hidden`, coordinates: [["hidden", String(width)]], agents: 20, dataset: "fashion-mnist" })),
      series: widths.flatMap((width, at) => labels.map((label) => series({ case: at, label, rounds: 10, trials: 5, agents: 20, seed: width }))),
      reliability,
      figures: [
        { kind: "reliability", title: "Reliability by width", metric: "", x: "" },
        { kind: "sweep", title: "MCE against width", metric: "mce", x: "hidden" },
      ],
    }),
  );
}

// Two models; each method's accuracy when the least confident rows are left out. Names do not sort like their shares.
export function abstentionReport() {
  /** @type {Label[]} */
  const labels = ["FedAvg", "SVGD", "DSVGD"];
  const metrics = ["accuracy", "answered@0", "answered@0.2", "answered@0.05", "answered@0.1"];
  return report(
    run({
      name: "ecg",
      title: "Heart beats",
      cases: ["logistic", "network"].map((name) => ({ name, coordinates: [["case", name]], agents: 37, dataset: "ecg" })),
      series: [0, 1].flatMap((at) => labels.map((label) => series({ case: at, label, rounds: 10, trials: 5, agents: 37, seed: at, metrics }))),
      figures: [{ kind: "abstention", title: "", metric: "", x: "" }],
    }),
  );
}

// Two arcs in the plane, four methods: three that doubt more the further they are from their rows, and one that never does.
export function mapReport() {
  /** @type {Label[]} */
  const labels = ["DSVGD", "FedAvg", "P-DSVGD", "SVGD"];
  const random = generator(5);
  /** @type {[number, number, number, number][]} */
  const rows = Array.from({ length: 200 }, (_, at) => {
    const sign = at % 2 ? 1 : -1;
    const t = Math.PI * random();
    const place = (/** @type {number} */ value) => Number((sign * value + 0.3 * (random() - 0.5)).toPrecision(4));
    return [place(Math.cos(t) - 0.5), place(Math.sin(t) - 0.25), sign > 0 ? 1 : 0, Math.floor(5 * random())];
  });
  const cells = 24;
  /** @type {import("../src/data").MapAxis[]} */
  const [x, y] = [[-2.5, 2.5, cells], [-2, 2, cells]];
  const maps = labels.map((algorithm, at) => {
    const points = at === 0 ? rows.filter(([left]) => left < -0.5) : rows;
    const far = (/** @type {number} */ a, /** @type {number} */ b) => Math.min(...points.map(([p, q]) => Math.hypot(p - a, q - b)));
    const grid = Array.from({ length: cells * cells }, (_, cell) => [-2.5 + ((cell % cells) + 0.5) * (5 / cells), -2 + (Math.floor(cell / cells) + 0.5) * (4 / cells)]);
    const score = grid.map(([a = 0, b = 0]) => 1 / (1 + Math.exp(-4 * (b - 0.6 * Math.sin(2 * a)))));
    const doubt = grid.map(([a = 0, b = 0]) => (at === 1 ? 0 : Math.round(400 * (1 - Math.exp(-far(a, b))))));
    return { case: 0, algorithm, round: 10, x: x ?? [0, 1, 1], y: y ?? [0, 1, 1], classes: 2, class_names: [], feature_names: [], probability: score.map((p) => Math.round(1000 * p)), doubt, points };
  });
  return report(
    run({
      name: "plane",
      title: "Two arcs",
      cases: [{ name: "two-arcs", coordinates: [["dataset", "two-arcs"]], agents: 5, dataset: "two-arcs" }],
      series: labels.map((label) => series({ label, rounds: 10, trials: 5, agents: 5, seed: 3 })),
      maps,
      configuration: {
        cases: [
          {
            model: { type: "bnn-classification", settings: { hidden: 50, loss: "cross-entropy", prior_precision: 0.1 } },
            algorithms: [
              { label: "p-dsvgd", settings: { repulsion: "predictions" } },
              { label: "svgd", settings: { repulsion: "predictions" } },
              { label: "dsvgd", settings: { repulsion: "none" } },
              { label: "fedavg", settings: {} },
            ],
          },
        ],
      },
      figures: [{ kind: "map", title: "", metric: "", x: "" }],
    }),
  );
}

// 50 runs x 100 rounds x 10 methods, three trials each.
export function bigReport() {
  /** @type {Label[]} */
  const labels = ["DSVGD", "U-DSVGD", "P-DSVGD", "SVGD", "DSGLD", "SGLD", "FedAvg", "PVI", "GVI", "NPV"];
  const runs = Array.from({ length: 50 }, (_, at) =>
    run({
      name: `sweep-${String(at + 1).padStart(2, "0")}`,
      title: `Learning rate ${Number((0.001 * 1.2 ** at).toPrecision(2))}`,
      seed: String(at + 1),
      trials: 3,
      cases: [{ name: "covertype, K = 20", coordinates: [["dataset", "covertype"]], agents: 20, dataset: "covertype" }],
      series: labels.map((label) => series({ label, rounds: 100, trials: 3, agents: 20, seed: at + 1, shift: 0.04 * Math.sin(at) })),
    }),
  );
  return report(...runs.map((one) => compare(one, "accuracy", 0.75)));
}

export function hostileReport() {
  const evil = `</script><script>window.broken=1</script><!-- "'\`&<img src=x onerror="window.broken=1">`;
  const one = run({
    name: evil,
    title: evil,
    command: evil,
    document: evil,
    configuration: { [evil]: evil },
    host: { processor: evil },
    cases: [{ name: evil, coordinates: [[evil, evil]], agents: 2, dataset: evil }],
    series: [{ ...series({ label: "DSVGD", rounds: 5, trials: 2, agents: 2, seed: 1 }), algorithm: evil, method: "__proto__" }],
    warnings: [evil],
    claims: [{ name: evil, claim: evil, settings: "paper", figures: evil, holds: true }],
  });
  return report(compare(one, "accuracy", 0.5));
}

// A run of which nothing was recorded yet, and one with gaps in its numbers.
export function sparseReport() {
  const cases = [{ name: "toy", coordinates: /** @type {[string, string][]} */ ([]), agents: 2, dataset: "toy" }];
  const gaps = series({ label: "DSVGD", rounds: 8, trials: 1, agents: 2, seed: 2 });
  gaps.figures["accuracy"] = { mean: [null, 0.5, null, 0.6, 0.7, null, 0.75, 0.8], error: Array(8).fill(null) };
  return report(run({ name: "empty", finished: "", cases }), run({ name: "gaps", cases, series: [gaps] }));
}

export { aloneReport, eightReport, regressionReport, twoCasesReport } from "./tasks.js";
