// SPDX-License-Identifier: Apache-2.0
// Coefficients with their intervals, method beside method: what the posterior says, where people can read it.
import type { Coefficient, Coefficients, Run } from "../data";
import { segments } from "../dom";
import type { Figure, Panel } from "../figure";
import { number } from "../format";
import type { MethodLook } from "../methods";
import { percent } from "../metrics";
import { CaseFilter } from "./cases";
import { dotPanel, type Dot } from "./dots";

const kMostRows = 30;
const kIntercept = "(intercept)";

type Unit = "deviation" | "unit";

const kWhat: Record<string, string> = {
  identity: "Target",
  "log-odds": "Log odds",
  log: "Log of the rate",
  softmax: "Log odds",
};

export function coefficientsFigure(run: Run, looks: Map<string, MethodLook>, id: string, title: string): Figure {
  const known = run.coefficients.every((one) => one.rows.every((row) => row.deviation !== null || row.name === kIntercept));
  const state: { unit: Unit } = { unit: known ? "deviation" : "unit" };
  const filter = new CaseFilter(run, () => figure.changed?.());
  const labels = [...new Set(run.coefficients.map((one) => one.algorithm))];
  const figure: Figure = {
    id,
    title: title || "Posterior: coefficients",
    note: noteOf(run),
    legend: labels.map((label) => ({ label, look: looks.get(label)! })),
    panelWidth: 420,
    controls: [
      ...filter.controls,
      ...(known
        ? [
            segments<Unit>("Per", [{ value: "deviation", text: "per standard deviation" }, { value: "unit", text: "per unit" }], "deviation", (unit) => {
              state.unit = unit;
              figure.changed?.();
            }),
          ]
        : []),
    ],
    panels: (hidden) =>
      run.cases.flatMap((one, index) => {
        if (!filter.takes(one)) return [];
        const all = run.coefficients.filter((each) => each.case === index);
        const outcomes = [...new Set(all.flatMap((each) => each.rows.map((row) => row.outcome)))];
        return outcomes.map((outcome) => panelOf(run, index, outcome, all, looks, hidden, state.unit));
      }),
  };
  return figure;
}

function noteOf(run: Run): string {
  const level = run.coefficients[0]?.level ?? 0.9;
  const narrow = run.coefficients.filter((one) => !one.of_posterior).map((one) => one.algorithm);
  const ofClasses = run.coefficients.some((one) => one.link === "softmax") ? " (log odds are against the first class)" : "";
  const whose = narrow.length === 0 ? "" : ` Intervals of ${[...new Set(narrow)].join(", ")} are those of the particles alone, which may be far too narrow.`;
  return `Means of the first trial with central ${percent(level)} intervals, from the posterior’s curvature. How much a standard deviation, or a unit, more of a column changes what is predicted${ofClasses}; an interval that leaves out 0 says which way.${whose}${particlesOf(run)}`;
}

// How far the particles are from having collapsed, where it was computed.
function particlesOf(run: Run): string {
  const known = run.coefficients.filter((one) => typeof one.distinct === "number" && typeof one.ksd === "number");
  if (known.length === 0) return "";
  const name = (one: Coefficients): string => (run.cases.length > 1 ? `${one.algorithm} (${run.cases[one.case]?.name ?? ""})` : one.algorithm);
  return ` Effectively different particles, and their KSD beside that posterior: ${known.map((one) => `${name(one)} ${number(one.distinct, 3)} of ${number(one.particles)}, ${number(one.ksd, 3)}`).join("; ")}.`;
}

// Of the columns that any method is sure about first; the rest are in none.
function columnsOf(all: Coefficients[], outcome: string): string[] {
  const sure = new Map<string, number>();
  for (const one of all) {
    for (const row of one.rows) {
      if (row.outcome !== outcome || row.name === kIntercept) continue;
      const width = row.high !== null && row.low !== null ? row.high - row.low : 0;
      const score = row.mean === null ? 0 : width > 0 ? Math.abs(row.mean) / width : Math.abs(row.mean);
      sure.set(row.name, Math.max(sure.get(row.name) ?? 0, score));
    }
  }
  const names = [...sure.keys()];
  if (names.length <= kMostRows) return names;
  const kept = new Set([...sure].sort((a, b) => b[1] - a[1]).slice(0, kMostRows).map(([name]) => name));
  return names.filter((name) => kept.has(name));
}

function panelOf(run: Run, index: number, outcome: string, all: Coefficients[], looks: Map<string, MethodLook>, hidden: ReadonlySet<string>, unit: Unit): Panel {
  const columns = columnsOf(all, outcome);
  const hasOdds = all[0]?.link === "log-odds" || all[0]?.link === "softmax";
  const isWhole = all.some((one) => one.rows.some((row) => typeof row.sd === "number"));
  const dots = columns.flatMap((name): Dot[] =>
    all.flatMap((one) => {
      const row = one.rows.find((each) => each.name === name && each.outcome === outcome);
      if (!row || row.mean === null || hidden.has(one.algorithm)) return [];
      const scale = scaleOf(row, unit);
      const more = [typeof row.sd === "number" ? row.sd * scale : null, row.above_zero ?? null, ...(hasOdds ? [Math.exp(row.mean * scale)] : [])];
      return [{ more, row: name, label: one.algorithm, look: looks.get(one.algorithm)!, value: row.mean * scale, low: row.low === null ? null : row.low * scale, high: row.high === null ? null : row.high * scale }];
    }),
  );
  const count = Math.max(...all.map((one) => (one.count ?? 0) - 1), 0);
  const where = [run.cases.length > 1 ? run.cases[index]!.name : "", outcome].filter(Boolean).join(" · ");
  const what = kWhat[all[0]?.link ?? ""] ?? "Coefficient";
  return dotPanel({
    title: where,
    ...(count > columns.length && !outcome ? { note: `${columns.length} of ${count} coefficients: those furthest from 0 in standard deviations.` } : {}),
    dots,
    xLabel: `${what} per ${unit === "deviation" ? "standard deviation" : "unit"}`,
    rowLabel: "Column",
    zero: true,
    ...(isWhole ? { more: ["standard deviation", "P(> 0)", ...(hasOdds ? ["odds ratio"] : [])] } : {}),
  });
}

const scaleOf = (row: Coefficient, unit: Unit): number => (unit === "deviation" ? (row.deviation ?? 1) : 1);
