// SPDX-License-Identifier: Apache-2.0
// Methods by the names that papers give them. Configurations write "dsvgd, N = 2"; a figure says "DSVGD, N = 2".
import type { Report, Run, Standing } from "./data";

const kNames = new Map([
  ["svgd", "SVGD"],
  ["dsvgd", "DSVGD"],
  ["u-dsvgd", "U-DSVGD"],
  ["p-dsvgd", "P-DSVGD"],
  ["c-dsvgd", "c-DSVGD"],
  ["sgld", "SGLD"],
  ["dsgld", "DSGLD"],
  ["fsgld", "FSGLD"],
  ["fedavg", "FedAvg"],
  ["fedsgd", "FedSGD"],
  ["fedbe", "FedBE"],
  ["fedprox", "FedProx"],
  ["scaffold", "SCAFFOLD"],
  ["scaffold-m", "SCAFFOLD-M"],
  ["fedadagrad", "FedAdagrad"],
  ["fedadam", "FedAdam"],
  ["fedyogi", "FedYogi"],
  ["fednova", "FedNova"],
  ["feddyn", "FedDyn"],
  ["mime", "Mime"],
  ["pvi", "PVI"],
  ["gvi", "GVI"],
  ["pmd", "PMD"],
  ["npv", "NPV"],
  ["ensemble", "Ensemble"],
  ["fald", "FALD"],
  ["vr-fald", "VR-FALD*"],
  ["fedep", "FedEP"],
  ["fedpa", "FedPA"],
  ["sdsvgd", "SDSVGD"],
]);

// The label with its method's name as papers write it, where it begins with that name.
export function named(label: string, method: string): string {
  const name = kNames.get(method);
  const begins = name !== undefined && label.startsWith(method) && !/^[\w-]/.test(label.slice(method.length));
  return begins ? name + label.slice(method.length) : label;
}

export function withNames(report: Report): Report {
  return { ...report, runs: report.runs.map(renamed) };
}

type Rename = <T extends { algorithm: string }>(all: T[]) => T[];

function renamedStanding(standing: Standing, rename: Rename, names: Map<string, string>): Standing {
  const left_out = standing.left_out.map((label) => names.get(label) ?? label);
  return { ...standing, ranked: rename(standing.ranked), beside: rename(standing.beside), left_out };
}

function renamed(run: Run): Run {
  const names = new Map(run.series.map((series) => [series.algorithm, named(series.algorithm, series.method)]));
  // Two labels that would become one ("dsvgd" and "DSVGD" in one run) stay as they are.
  if (new Set(names.values()).size < names.size) return run;
  const rename = <T extends { algorithm: string }>(all: T[]): T[] =>
    all.map((one) => ({ ...one, algorithm: names.get(one.algorithm) ?? one.algorithm }));
  return {
    ...run,
    series: rename(run.series),
    cases: run.cases.map((one) => ({ ...one, standing: one.standing && renamedStanding(one.standing, rename, names) })),
    reliability: rename(run.reliability),
    abstention: rename(run.abstention),
    coefficients: rename(run.coefficients),
    layers: rename(run.layers),
    predicted: rename(run.predicted),
    coverage: rename(run.coverage),
    posterior1d: rename(run.posterior1d),
    posterior2d: rename(run.posterior2d),
    maps: rename(run.maps),
    comparison: run.comparison && { ...run.comparison, rows: rename(run.comparison.rows) },
  };
}
