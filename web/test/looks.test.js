// SPDX-License-Identifier: Apache-2.0
// Methods can be told apart, by everybody, in both themes; numbers read as they should.
import assert from "node:assert/strict";
import { test } from "node:test";
import { generator, report, run, series } from "./fixture.js";
import { pageModule } from "./modules.js";

const { kLight, kDark } = await pageModule("palette.ts");
const { looksOf } = await pageModule("methods.ts");
const { withNames } = await pageModule("names.ts");
const format = await pageModule("format.ts");
const { metricNamed } = await pageModule("metrics.ts");
const { labelRoom, movedApart, shortened } = await pageModule("figures/label_places.ts");

/** @param {string} hex */
const linear = (hex) =>
  [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });

/** @param {number[]} rgb */
const luminance = ([r = 0, g = 0, b = 0]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

/** WCAG's contrast ratio. @param {string} a @param {string} b */
function contrast(a, b) {
  const [low, high] = [luminance(linear(a)), luminance(linear(b))].sort((x, y) => x - y);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

// Complete dichromacy after Machado, Oliveira and Fernandes (2009), on linear RGB.
const kEyes = {
  usual: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

/** Oklab of a colour as an eye sees it. @param {string} hex @param {number[]} eye */
function seen(hex, eye) {
  const rgb = linear(hex);
  const at = (/** @type {number} */ row) => Math.max(0, rgb.reduce((sum, part, column) => sum + (eye[3 * row + column] ?? 0) * part, 0));
  const [r, g, b] = [at(0), at(1), at(2)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s, 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
}

// 0.02 is where Oklab's differences begin to be noticed side by side; lines lie apart.
const kApart = 0.08;

for (const theme of [kLight, kDark]) {
  test(`${theme.name}: every hue has contrast 3 with the paper, and text 4.5`, () => {
    for (const [hue, colour] of Object.entries(theme.hues)) {
      assert.ok(contrast(colour, theme.paper) >= 3, `${hue}: ${contrast(colour, theme.paper).toFixed(2)}`);
    }
    for (const part of ["ink", "soft", "accent", "bad"]) {
      assert.ok(contrast(theme[part], theme.paper) >= 4.5, `${part}: ${contrast(theme[part], theme.paper).toFixed(2)}`);
    }
  });

  for (const [eye, matrix] of Object.entries(kEyes)) {
    test(`${theme.name}: hues stay apart for ${eye} eyes`, () => {
      const hues = Object.entries(theme.hues);
      for (const [a, first] of hues) {
        for (const [b, second] of hues) {
          if (a >= b) continue;
          const [p, q] = [seen(first, matrix), seen(second, matrix)];
          const distance = Math.hypot(...p.map((part, at) => part - (q[at] ?? 0)));
          assert.ok(distance >= kApart, `${a} and ${b}: ${distance.toFixed(3)}`);
        }
      }
    });
  }
}

// A map is read by lightness: every step of its scale is darker than the one before (in the dark: lighter), for all eyes,
// by more than is just noticeable, and the first one lies near the paper.
for (const theme of [kLight, kDark]) {
  for (const scale of ["chance", "doubt"]) {
    for (const [eye, matrix] of Object.entries(kEyes)) {
      test(`${theme.name}: the map's scale of ${scale} rises in lightness for ${eye} eyes`, () => {
        const stops = /** @type {string[]} */ (theme[scale]).map((stop) => seen(stop, matrix)[0] ?? 0);
        const sign = theme === kDark ? 1 : -1;
        for (let at = 1; at < stops.length; ++at) {
          const step = sign * ((stops[at] ?? 0) - (stops[at - 1] ?? 0));
          assert.ok(step > 0.04, `step ${at}: ${step.toFixed(3)}`);
        }
      });
    }
    test(`${theme.name}: the scale of ${scale} begins near the paper`, () => {
      assert.ok(contrast(/** @type {string[]} */ (theme[scale])[0] ?? "", theme.paper) < 1.35);
    });
  }
}

const kRegistry = [
  "svgd", "dsvgd", "u-dsvgd", "p-dsvgd", "c-dsvgd", "sdsvgd", "sgld", "dsgld", "fsgld", "fald", "vr-fald", "fedavg", "fedsgd", "fedbe", "fedprox",
  "scaffold", "scaffold-m", "fedadagrad", "fedadam", "fedyogi", "fednova", "feddyn", "mime", "ensemble", "fedep", "fedpa", "pvi", "gvi", "pmd", "npv",
];

/** @param {[string, string][]} pairs */
function looks(pairs) {
  const all = pairs.map(([algorithm, method]) => ({ ...series({ label: "DSVGD", rounds: 2, trials: 1, agents: 2, seed: 1 }), algorithm, method }));
  return looksOf(report(run({ series: all })).runs);
}

const key = (/** @type {{hue: string, dash: string}} */ look) => `${look.hue} ${look.dash}`;

test("no two methods of the registry look alike", () => {
  const all = looks(kRegistry.map((name) => [name, name]));
  assert.equal(new Set([...all.values()].map(key)).size, kRegistry.length);
});

// Those of `make demo` and those that are compared most often. Of one hue, dash and marker tell them apart.
test("eight methods side by side differ in hue, or else in dash and marker", () => {
  const eight = ["c-dsvgd", "dsvgd", "u-dsvgd", "svgd", "fedavg", "fedprox", "scaffold", "pvi"];
  const all = [...looks(eight.map((name) => [name, name])).values()];
  assert.equal(new Set(all.map((look) => look.hue)).size, 6);
  for (const one of all) {
    for (const other of all) {
      if (one === other || one.hue !== other.hue) continue;
      assert.notEqual(one.dash, other.dash);
      assert.notEqual(one.marker, other.marker);
    }
  }
  // Eight that nobody has heard of, and eight settings of one method.
  const foreign = [...looks(["a", "b", "c", "d", "e", "f", "g", "h"].map((name) => [name, `new-${name}`])).values()];
  assert.equal(new Set(foreign.map(key)).size, 8);
  const settings = [...looks([1, 2, 3, 4, 5, 6, 7, 8].map((n) => [`dsvgd, N = ${n}`, "dsvgd"])).values()];
  assert.equal(new Set(settings.map(key)).size, 8);
});

test("names at curves' ends keep apart and stay near their ends", () => {
  assert.deepEqual(movedApart([10, 50, 90], 13, 0, 100), [10, 50, 90]);
  assert.deepEqual(movedApart([50, 50], 12, 0, 100), [44, 56]);
  assert.deepEqual(movedApart([56, 44, 50], 12, 0, 100), [62, 38, 50]);
  assert.deepEqual(movedApart([99, 99, 99], 13, 0, 100), [74, 87, 100]);
  assert.deepEqual(movedApart([1, 2], 13, 0, 100), [0, 13]);
  const random = generator(3);
  for (let round = 0; round < 200; ++round) {
    const wanted = Array.from({ length: 8 }, () => 120 * random());
    const placed = movedApart(wanted, 13, 0, 120);
    const sorted = [...placed].sort((a, b) => a - b);
    sorted.forEach((place, at) => at > 0 && assert.ok(place - (sorted[at - 1] ?? 0) > 12.999, String(sorted)));
    assert.ok((sorted[0] ?? -1) >= 0 && (sorted[7] ?? 999) <= 120.001, String(sorted));
    const order = (/** @type {number[]} */ values) => values.map((_, at) => at).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
    assert.deepEqual(order(placed), order(wanted));
  }
});

test("long names are shortened to their room, or not shown at all", () => {
  const widthOf = (/** @type {string} */ text) => 7 * text.length;
  const name = "dsvgd, with very many particles";
  const room = labelRoom([name, "b"], 320, widthOf);
  assert.equal(room, 128);
  const short = shortened(name, room, widthOf);
  assert.equal(short, "dsvgd, with ve…");
  assert.ok(widthOf(short) <= room - 21);
  assert.equal(shortened("b", room, widthOf), "b");
  assert.equal(labelRoom(["a", "bcd"], 320, widthOf), 44);
  assert.equal(labelRoom(["only one"], 900, widthOf), 0);
  assert.equal(labelRoom(Array(13).fill("many"), 900, widthOf), 0);
  assert.equal(labelRoom(["a", "b"], 120, widthOf), 0);
});

test("a method looks the same whatever stands beside it", () => {
  const alone = looks([["FedAvg", "fedavg"]]).get("FedAvg");
  const among = looks([["one of mine", "new-method"], ["FedAvg, weighted", "fedavg"], ["FedAvg", "fedavg"]]).get("FedAvg");
  assert.deepEqual(alone, among);
});

test("a second label of a method keeps its hue, and unknown methods get looks of their own", () => {
  const all = looks([["DSVGD", "dsvgd"], ["DSVGD, N = 2", "dsvgd"], ["a", "new-a"], ["b", "__proto__"]]);
  assert.equal(all.get("DSVGD, N = 2").hue, "blue");
  assert.equal(new Set([...all.values()].map(key)).size, 4);
});

test("labels carry the name that papers give the method, and stay apart", () => {
  const rename = (/** @type {[string, string][]} */ pairs) => {
    const all = pairs.map(([algorithm, method]) => ({ ...series({ label: "DSVGD", rounds: 2, trials: 1, agents: 2, seed: 1 }), algorithm, method }));
    return withNames(report(run({ series: all }))).runs[0].series.map((/** @type {{algorithm: string}} */ one) => one.algorithm);
  };
  assert.deepEqual(rename([["dsvgd", "dsvgd"], ["dsvgd, N = 2", "dsvgd"], ["fedavg released", "fedavg"]]), ["DSVGD", "DSVGD, N = 2", "FedAvg released"]);
  assert.deepEqual(rename([["mine", "dsvgd"], ["svgd-like", "svgd"], ["x", "new"]]), ["mine", "svgd-like", "x"]);
  assert.deepEqual(rename([["dsvgd", "dsvgd"], ["DSVGD", "dsvgd"]]), ["dsvgd", "DSVGD"]);
});

test("numbers", () => {
  assert.equal(format.number(0.81234), "0.8123");
  assert.equal(format.number(-0.5), "−0.5000");
  assert.equal(format.number(12), "12");
  assert.equal(format.number(1.5e-7), "1.50e−7");
  assert.equal(format.number(null), "–");
  assert.equal(format.number(NaN), "–");
  assert.equal(format.plusMinus(0.81234, 0.0123), "0.812 ± 0.012");
  assert.equal(format.plusMinus(0.81234, null), "0.8123");
  assert.equal(format.plusMinus(null, 0.1), "–");
  assert.equal(format.plusMinus(-1234.5, 56.7), "−1235 ± 57");
  assert.equal(format.bytes(7776), "7.78 kB");
  assert.equal(format.bytes(0), "0 B");
  assert.equal(format.bytes(1e15), "1000 TB");
  assert.equal(format.seconds(451), "7 min 31 s");
  assert.equal(format.seconds(59.96), "60 s");
  assert.equal(format.date("2025-03-01T12:34:56Z"), "1 March 2025, 12:34 UTC");
  assert.equal(format.date("yesterday"), "yesterday");
});

test("figures of foreign rows are called by their sets", () => {
  assert.equal(metricNamed("unseen@fashion-mnist").short, "Unseen: fashion-mnist");
  assert.equal(metricNamed("unseen_total@class").short, "Unseen, total: class");
  assert.equal(metricNamed("unseen@far").better, "higher");
  assert.equal(metricNamed("kl@0.1").label, "KL(q ‖ exact) at bandwidth 0.1");
  assert.equal(metricNamed("log_likelihood@cleveland").label, "Log-likelihood: cleveland");
  assert.equal(metricNamed("rmse@7").better, "lower");
});
