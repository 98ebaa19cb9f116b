// SPDX-License-Identifier: Apache-2.0
// What the program's figures are called, and which way is better. A metric that is not listed here is drawn under its
// own name.
import type { Run } from "./data";

export interface Metric {
  name: string;
  label: string;
  better: "higher" | "lower" | "";
}

const kKnown: Metric[] = [
  { name: "accuracy", label: "Accuracy", better: "higher" },
  { name: "rmse", label: "RMSE", better: "lower" },
  { name: "log_likelihood", label: "Log-likelihood", better: "higher" },
  { name: "kl", label: "KL(q ‖ exact)", better: "lower" },
  { name: "kl_reverse", label: "KL(exact ‖ q)", better: "lower" },
  { name: "mce", label: "Maximum calibration error", better: "lower" },
  { name: "ece", label: "Expected calibration error", better: "lower" },
  { name: "brier", label: "Brier score", better: "lower" },
  { name: "free_energy", label: "Free energy", better: "lower" },
  { name: "ksd", label: "Kernelised Stein discrepancy", better: "lower" },
  { name: "seconds", label: "Seconds per round", better: "" },
  { name: "spread", label: "Particle spread", better: "" },
  { name: "spread_ratio", label: "Particle spread, relative to exact", better: "" },
];

// Judged by themselves, in the figure about particles.
export const kDiagnostics = ["ksd", "spread", "spread_ratio"];

export function metricNamed(name: string): Metric {
  const found = kKnown.find((metric) => metric.name === name);
  if (found) return found;
  const [base, bandwidth] = name.split("@");
  if (base === "kl" && bandwidth) return { name, label: `KL(q ‖ exact) at bandwidth ${bandwidth}`, better: "lower" };
  return { name, label: name, better: "" };
}

// "Accuracy (higher is better)", for captions; axes take the label alone.
export function withDirection(metric: Metric): string {
  return metric.better ? `${metric.label} (${metric.better} is better)` : metric.label;
}

// Recorded metrics of some runs, in the order of the table above, then by name.
export function metricsOf(runs: Run[]): Metric[] {
  const names = new Set<string>();
  for (const run of runs) {
    for (const series of run.series) {
      for (const name of Object.keys(series.figures)) names.add(name);
    }
  }
  const rank = (name: string): number => {
    const at = kKnown.findIndex((metric) => metric.name === name);
    return at < 0 ? kKnown.length : at;
  };
  return [...names].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b)).map(metricNamed);
}
