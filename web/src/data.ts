// SPDX-License-Identifier: Apache-2.0
// The report's data: what the program writes into the page, and the only place where the page gets it from. The live
// page (live/) feeds the same types from a server.
//
// Numbers over trials are formed by the program: a mean and a standard error per evaluated round. null stands for a
// number that is not there (not evaluated, or not finite).

import { withNames } from "./names";

export const kFormat = 1;

export type Value = number | null;

export interface Report {
  format: number;
  generated: string; // UTC, ISO 8601
  version: string; // of the program that wrote the page
  runs: Run[];
}

export interface Run {
  name: string;
  title: string;
  started: string;
  finished: string; // "": the run was not finished when the report was written
  version: string;
  precision: string;
  seed: string; // 64 bits do not fit a JavaScript number
  trials: number;
  host: Record<string, string | number>;
  command: string; // that reproduces the run
  configuration: unknown; // resolved
  document: string; // TOML
  cases: Case[];
  series: Series[];
  reliability: Reliability[];
  abstention: Abstention[];
  posterior1d: Posterior1d[];
  posterior2d: Posterior2d[];
  coefficients: Coefficients[];
  layers: Layers[];
  predicted: Predicted[];
  coverage: Coverage[];
  maps: PlaneMap[];
  figures: FigurePlan[];
  comparison: Comparison | null;
  claims: Claim[];
  warnings: string[];
}

// One point of the experiment. Coordinates are what makes it differ from the other cases.
export interface Case {
  name: string;
  coordinates: [string, string][];
  agents: number;
  dataset: string;
  model: string; // its type
  split: string; // what agents' rows have to do with each other, in words
  rows: Rows | null; // null: the run's server never saw them
  standing: Standing | null; // null: no method has a figure to be ranked by
  guess: Record<string, [Value, Value]> | null; // figures of a prediction that looks at no feature: mean, standard error
}

// Of the first trial.
export interface Rows {
  training: number;
  test: number;
  kept_back: number;
  features: number;
  classes: number; // 0: a regression
  agents: number;
  least: number; // rows of the agent that has the fewest
  most: number;
}

// Methods by their value after the last round, the best first.
export interface Standing {
  figure: string;
  ranked: Ranked[];
  margin: [Value, Value] | null; // of the best over the second, paired by trial; null: one method alone
  trials: Value; // that were paired
  beside: Ranked[]; // not ranked: they saw all rows in one place, or one agent's only
  left_out: string[]; // a trial failed, or the figure is not finite
}

export interface Ranked {
  algorithm: string;
  value: [Value, Value];
}

// One method in one case, over all its trials. Arrays have one entry per evaluated round.
export interface Series {
  case: number;
  algorithm: string; // label: what tables and figures call it
  method: string; // name in the program's registry
  centralised: boolean;
  trials: number;
  rounds: number[];
  bytes: number[]; // sent and received up to the round, mean over trials
  seconds: number[]; // likewise
  figures: Record<string, Averaged>;
  activity: Activity | null; // of the first trial
  failures: Failure[];
  errors: TrialError[];
}

export interface Averaged {
  mean: Value[];
  error: Value[]; // standard error; null with a single trial
}

export interface Activity {
  rounds: number[];
  folded: number[][]; // agents whose update was taken in, by round
}

export interface Failure {
  trial: number;
  round: number;
  agent: number;
  kind: string;
  reason: string;
}

export interface TrialError {
  trial: number;
  error: string;
}

export interface Reliability {
  case: number;
  algorithm: string;
  round: number;
  bins: Bin[]; // summed over trials
  ece: Value;
  mce: Value;
}

export interface Bin {
  low: number;
  high: number;
  count: number;
  confidence: Value; // mean; null without a row
  accuracy: Value;
}

// Accuracy of the rows that are answered when a share of them, the least confident, is not.
export interface Abstention {
  case: number;
  algorithm: string;
  shares: number[];
  accuracy: Averaged;
}

export interface Coefficients {
  case: number;
  algorithm: string;
  link: string; // identity, log-odds, log, softmax
  level: Value; // of the intervals
  of_posterior: boolean; // false: intervals are those of the particles, which may be far too narrow
  count: Value; // of all coefficients; rows holds those furthest from 0
  particles: Value;
  distinct: Value; // how many of them count as different; null: not known, as in older runs
  ksd: Value; // beside the Gaussian of the posterior's curvature
  rows: Coefficient[];
}

export interface Coefficient {
  name: string;
  outcome: string; // of several classes; "" otherwise
  mean: Value;
  low: Value;
  high: Value;
  sd: Value; // of the posterior; null: not known, as in older runs
  above_zero: Value; // probability
  deviation: Value; // of the column from row to row; null: not known
}

export interface Layers {
  case: number;
  algorithm: string;
  layers: { name: string; parameters: Value; spread: Value; size: Value }[];
}

// Some test rows of the first trial, in the target's unit: predicted, ends of the interval, observed.
export interface Predicted {
  case: number;
  algorithm: string;
  level: number;
  points: [Value, Value, Value, Value][];
}

// Share of targets inside central intervals.
export interface Coverage {
  case: number;
  algorithm: string;
  levels: number[];
  covered: Averaged;
}

export interface Posterior1d {
  case: number;
  algorithm: string;
  grid: number[];
  exact: number[];
  locals: { agent: number; density: number[] }[];
  frames: { round: number; density: number[]; particles: number[] }[];
}

// Matrices are row by row: density[j * x.length + i] belongs to (x[i], y[j]).
export interface Posterior2d {
  case: number;
  algorithm: string;
  x: number[];
  y: number[];
  exact: number[];
  frames: { round: number; density: number[]; particles: [number, number][]; kl: Value }[];
}

// A classifier of two features over the whole plane, of a method's first trial. probability[j * x cells + i] is that of
// (x[i], y[j]), in thousandths.
export interface PlaneMap {
  case: number;
  algorithm: string;
  round: number;
  x: MapAxis;
  y: MapAxis;
  classes: number;
  class_names: string[]; // empty: as numbers
  feature_names: string[]; // likewise
  probability: number[]; // of two classes the second one's, of more the most probable one's
  doubt: number[]; // epistemic, as a share of the most that there can be
  points: [x: number, y: number, label: number, agent: number][]; // training rows
}

export type MapAxis = [low: number, high: number, cells: number];

export type FigureKind =
  | "rounds"
  | "bytes"
  | "sweep"
  | "bars"
  | "map"
  | "reliability"
  | "abstention"
  | "posterior-1d"
  | "posterior-2d"
  | "coefficients"
  | "spread"
  | "predicted"
  | "coverage";

// A picture that the experiment asks for; the page adds those that its data allows.
export interface FigurePlan {
  kind: FigureKind;
  title: string;
  metric: string;
  x: string; // of sweep and bars: a coordinate's name
}

export interface Comparison {
  figures: string[]; // in the order of `fedstein compare`
  target: string; // what rounds and bytes to target count to, in words
  rows: ComparisonRow[];
}

export interface ComparisonRow {
  case: number;
  algorithm: string;
  figures: Record<string, [Value, Value]>; // mean and standard error after the last evaluated round
  trials: number;
  failed: number;
  rounds: number;
  rounds_to_target: Value; // from that round on the target is held
  bytes_to_target: Value;
  bytes: Value;
  seconds: Value;
  verdict: { kind: string; text: string } | null; // what became of it: "converged", "still improving", ...
}

export interface Claim {
  name: string;
  claim: string;
  settings: "paper" | "fedstein"; // of the run that it was tested on: the paper's, or fedstein's own with c-dsvgd
  figures: string;
  holds: boolean | null; // null: not checked, and figures says why
}

// Whether a series has a metric. Names come from files: "constructor" is none unless somebody records it.
export const records = (series: Series, metric: string): boolean => Object.hasOwn(series.figures, metric);

// What keeps a page from being drawn, as a sentence for its reader.
export class UnreadableReport extends Error {}

// The data in the page: JSON, or the same packed (data-encoding="gzip": base64 of gzip) where it is large.
export async function load(page: Document): Promise<Report> {
  const element = page.getElementById("fedstein-data");
  const text = element?.textContent?.trim() ?? "";
  if (!text || text.startsWith("__FEDSTEIN")) {
    throw new UnreadableReport("This page holds no data: it is the empty form that “fedstein report” fills.");
  }
  const json = element?.dataset["encoding"] === "gzip" ? await unpack(text) : text;
  let report: Report;
  try {
    report = JSON.parse(json) as Report;
  } catch {
    throw new UnreadableReport("The data in this page is damaged. Write the report again with “fedstein report”.");
  }
  return checked(report);
}

export function checked(report: Report): Report {
  if (typeof report?.format !== "number" || !Array.isArray(report.runs)) {
    throw new UnreadableReport("The data in this page is not a fedstein report. Write it again with “fedstein report”.");
  }
  if (report.format > kFormat) {
    throw new UnreadableReport(
      `The data in this page has format ${report.format}; this page can draw formats up to ${kFormat}. ` +
        "Write the report again with the version of fedstein that made the run.",
    );
  }
  if (report.runs.length === 0) {
    throw new UnreadableReport("The store holds no run yet: there is nothing to show. Start one with “fedstein run FILE.toml”.");
  }
  return withNames({ ...report, runs: report.runs.map(complete) });
}

// What older programs did not write.
function complete(run: Run): Run {
  const facts = { model: "", split: "", rows: null, standing: null, guess: null };
  const lists = { abstention: [], maps: [], coefficients: [], layers: [], predicted: [], coverage: [] };
  return { ...lists, ...run, cases: run.cases.map((one) => ({ ...facts, ...one })) };
}

async function unpack(text: string): Promise<string> {
  try {
    const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return await new Response(stream).text();
  } catch {
    throw new UnreadableReport("The data in this page is damaged. Write the report again with “fedstein report”.");
  }
}
