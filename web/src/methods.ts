// SPDX-License-Identifier: Apache-2.0
// How a method looks. Colour, dash and marker belong to the method, not to its place in a list, so that it looks the
// same in every figure of every report. Families share a hue and differ in dash and marker; methods that see all data
// in one place are dashed. Nothing is told by colour alone.
import type { Run } from "./data";

export type Hue = "blue" | "orange" | "green" | "red" | "purple" | "brown" | "ink";
export type Marker = "circle" | "triangle" | "square" | "diamond" | "star" | "wye" | "cross";

export interface MethodLook {
  hue: Hue;
  dash: string; // SVG's stroke-dasharray; "": solid
  marker: Marker;
}

const kDashes = ["", "7 3", "2 3", "9 3 2 3", "14 4", "9 3 2 3 2 3"];
const kMarkers: Marker[] = ["circle", "triangle", "square", "diamond", "star", "wye", "cross"];

// Those that are shown side by side most often differ in hue. No two share hue and dash; of one hue, no two of those
// that are often together share the marker.
const kMethods = new Map<string, MethodLook>(Object.entries<MethodLook>({
  "c-dsvgd": { hue: "ink", dash: "", marker: "circle" },
  svgd: { hue: "ink", dash: "7 3", marker: "square" },
  dsvgd: { hue: "blue", dash: "", marker: "circle" },
  "p-dsvgd": { hue: "blue", dash: "9 3 2 3", marker: "diamond" },
  sdsvgd: { hue: "blue", dash: "7 3", marker: "star" },
  "u-dsvgd": { hue: "orange", dash: "", marker: "triangle" },
  fedbe: { hue: "orange", dash: "2 3", marker: "star" },
  fedadagrad: { hue: "orange", dash: "7 3", marker: "cross" },
  fedadam: { hue: "orange", dash: "9 3 2 3", marker: "wye" },
  fedyogi: { hue: "orange", dash: "14 4", marker: "diamond" },
  dsgld: { hue: "green", dash: "", marker: "diamond" },
  sgld: { hue: "green", dash: "7 3", marker: "wye" },
  fsgld: { hue: "green", dash: "2 3", marker: "star" },
  fald: { hue: "green", dash: "9 3 2 3", marker: "square" },
  "vr-fald": { hue: "green", dash: "14 4", marker: "triangle" },
  fedavg: { hue: "red", dash: "", marker: "square" },
  fedprox: { hue: "red", dash: "9 3 2 3", marker: "triangle" },
  fednova: { hue: "red", dash: "7 3", marker: "wye" },
  fedsgd: { hue: "red", dash: "2 3", marker: "cross" },
  pvi: { hue: "purple", dash: "", marker: "triangle" },
  gvi: { hue: "purple", dash: "7 3", marker: "circle" },
  ensemble: { hue: "purple", dash: "2 3", marker: "star" },
  fedep: { hue: "purple", dash: "9 3 2 3", marker: "diamond" },
  fedpa: { hue: "purple", dash: "14 4", marker: "wye" },
  scaffold: { hue: "brown", dash: "", marker: "diamond" },
  "scaffold-m": { hue: "brown", dash: "9 3 2 3", marker: "square" },
  feddyn: { hue: "brown", dash: "2 3", marker: "triangle" },
  mime: { hue: "brown", dash: "14 4", marker: "cross" },
  npv: { hue: "brown", dash: "7 3", marker: "wye" },
  pmd: { hue: "brown", dash: "9 3 2 3 2 3", marker: "star" },
}));

const kHues: Hue[] = ["blue", "orange", "green", "red", "purple", "brown", "ink"];

// Looks by label. A second label of one method (DSVGD with fewer particles) keeps the hue and takes the next dash and
// marker; a method that is not known takes the first look that nobody has.
export function looksOf(runs: Run[]): Map<string, MethodLook> {
  const methods = new Map<string, string>();
  for (const run of runs) {
    for (const series of run.series) {
      if (!methods.has(series.algorithm)) methods.set(series.algorithm, series.method);
    }
  }
  const looks = new Map<string, MethodLook>();
  const taken = new Set<string>();
  // Plain labels first: DSVGD keeps its own look whatever else runs beside it.
  const order = [...methods].sort(([a, x], [b, y]) => Number(!isPlain(a, x)) - Number(!isPlain(b, y)));
  for (const [label, method] of order) {
    const look = candidates(method).find((candidate) => !taken.has(key(candidate))) ?? candidates(method)[0]!;
    taken.add(key(look));
    looks.set(label, look);
  }
  return looks;
}

const isPlain = (label: string, method: string): boolean => label.toLowerCase() === method;
const key = (look: MethodLook): string => `${look.hue} ${look.dash}`;

function candidates(method: string): MethodLook[] {
  const own = kMethods.get(method);
  const hues = own ? [own.hue, ...kHues.filter((hue) => hue !== own.hue)] : kHues;
  // Of a method that is not known, all hues solid before any dash; of a known one, all dashes of its hue first.
  const all: MethodLook[] = own ? [own] : [];
  const add = (hue: Hue, dash: number): void => {
    all.push({ hue, dash: kDashes[dash]!, marker: kMarkers[(kHues.indexOf(hue) + 2 * dash) % kMarkers.length]! });
  };
  if (own) hues.forEach((hue) => kDashes.forEach((_, dash) => add(hue, dash)));
  else kDashes.forEach((_, dash) => hues.forEach((hue) => add(hue, dash)));
  return all;
}
