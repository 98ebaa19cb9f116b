// SPDX-License-Identifier: Apache-2.0
// What the program's figures are called, and which way is better. A metric that is not listed here is drawn under its
// own name.
import type { Run } from "./data";

export interface Metric {
  name: string;
  label: string;
  short: string; // for the heads of columns
  better: "higher" | "lower" | "";
}

const kKnown: Metric[] = [
  { name: "accuracy", label: "Accuracy", short: "Accuracy", better: "higher" },
  { name: "rmse", label: "RMSE", short: "RMSE", better: "lower" },
  { name: "f1", label: "F1 score", short: "F1", better: "higher" },
  { name: "log_likelihood", label: "Log-likelihood", short: "Log-likelihood", better: "higher" },
  { name: "coverage", label: "Targets within 95 % intervals", short: "Coverage", better: "" },
  { name: "validation_accuracy", label: "Accuracy on kept-back rows", short: "Kept-back accuracy", better: "higher" },
  { name: "validation_rmse", label: "RMSE on kept-back rows", short: "Kept-back RMSE", better: "lower" },
  { name: "validation_log_likelihood", label: "Log-likelihood on kept-back rows", short: "Kept-back log-likelihood", better: "higher" },
  { name: "validation_coverage", label: "Kept-back targets within 95 % intervals", short: "Kept-back coverage", better: "" },
  { name: "validation_ece", label: "Expected calibration error on kept-back rows", short: "Kept-back ECE", better: "lower" },
  { name: "kl", label: "KL(q ‖ exact)", short: "KL(q ‖ exact)", better: "lower" },
  { name: "kl_reverse", label: "KL(exact ‖ q)", short: "KL(exact ‖ q)", better: "lower" },
  { name: "mce", label: "Maximum calibration error", short: "MCE", better: "lower" },
  { name: "ece", label: "Expected calibration error", short: "ECE", better: "lower" },
  { name: "brier", label: "Brier score", short: "Brier", better: "lower" },
  { name: "confidence", label: "Mean confidence", short: "Confidence", better: "" },
  { name: "validation_confidence", label: "Mean confidence on kept-back rows", short: "Kept-back confidence", better: "" },
  { name: "step", label: "Step size", short: "Step", better: "" },
  { name: "undone", label: "Round taken back", short: "Taken back", better: "" },
  { name: "free_energy", label: "Free energy", short: "Free energy", better: "lower" },
  { name: "ksd", label: "Kernelised Stein discrepancy", short: "KSD", better: "lower" },
  { name: "seconds", label: "Seconds per round", short: "Seconds per round", better: "" },
  { name: "spread", label: "Particle spread", short: "Spread", better: "" },
  { name: "spread_ratio", label: "Particle spread, relative to exact", short: "Spread ratio", better: "" },
];

// Judged by themselves, in the figure about particles.
export const kDiagnostics = ["ksd", "spread", "spread_ratio"];

// Of answered@SHARE: the share of rows, the least confident, that were left out.
export function abstainedShare(name: string): number | null {
  const [base, share] = name.split("@");
  const value = Number(share);
  return base === "answered" && share && Number.isFinite(value) ? value : null;
}

export const percent = (share: number): string => `${Number((100 * share).toPrecision(3))} %`;

export function metricNamed(name: string): Metric {
  const found = kKnown.find((metric) => metric.name === name);
  if (found) return found;
  const [base, after] = name.split("@");
  if (base === "kl" && after) return { name, label: `KL(q ‖ exact) at bandwidth ${after}`, short: `KL at ${after}`, better: "lower" };
  if (base === "unseen" && after) return { name, label: `Foreign rows told by epistemic uncertainty: ${after}`, short: `Unseen: ${after}`, better: "higher" };
  if (base === "unseen_total" && after) return { name, label: `Foreign rows told by total uncertainty: ${after}`, short: `Unseen, total: ${after}`, better: "higher" };
  const share = abstainedShare(name);
  if (share !== null) return { name, label: `Accuracy, ${percent(share)} left out`, short: `Accuracy at ${percent(share)}`, better: "higher" };
  const whole = kKnown.find((metric) => metric.name === base);
  if (whole && after) return { ...whole, name, label: `${whole.label}: ${after}`, short: `${whole.short}: ${after}` };
  return { name, label: name, short: name, better: "" };
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
