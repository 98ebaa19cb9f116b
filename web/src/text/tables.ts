// SPDX-License-Identifier: Apache-2.0
// The tables of `compare` and of `--check`.
import type { Claim, Comparison, ComparisonRow, Run } from "../data";
import { h } from "../dom";
import type { Cell } from "../figure";
import { bytes, number, seconds } from "../format";
import { metricNamed, withDirection } from "../metrics";
import { averageCell, tableElement, valueCell } from "../table";

export function comparisonSection(run: Run): HTMLElement | null {
  const comparison = run.comparison;
  if (!comparison || comparison.rows.length === 0) return null;
  const metric = metricNamed(comparison.metric);
  const target = comparison.target === null ? "" : ` Target: ${comparison.target}.`;
  return h(
    "section",
    { id: "comparison", "aria-labelledby": "comparison-title" },
    h("h2", { id: "comparison-title" }, "Comparison"),
    h("p", { class: "lead" }, `${withDirection(metric)} after the last round, with its standard error over trials; the best of each case in bold.${target}`),
    marked(tableElement(comparisonTable(run, comparison)), run, comparison),
  );
}

function comparisonTable(run: Run, comparison: Comparison) {
  const targeted = comparison.target !== null;
  const several = run.cases.length > 1;
  const label = metricNamed(comparison.metric).label;
  const toTarget = targeted ? ["Rounds to target", "Bytes to target"] : [];
  return {
    caption: "",
    columns: ["Method", ...(several ? ["Case"] : []), label, "Trials", ...toTarget, "Bytes", "Time"],
    rows: comparison.rows.map((row) => {
      const reached: Cell[] = targeted
        ? [valueCell(row.rounds_to_target, row.rounds_to_target === null ? "not reached" : number(row.rounds_to_target)), valueCell(row.bytes_to_target, bytes(row.bytes_to_target))]
        : [];
      const where = several ? [run.cases[row.case]!.name] : [];
      return [row.algorithm, ...where, averageCell(row.mean, row.error), valueCell(row.trials), ...reached, valueCell(row.bytes, bytes(row.bytes)), valueCell(row.seconds, seconds(row.seconds))];
    }),
  };
}

function marked(table: HTMLElement, run: Run, comparison: Comparison): HTMLElement {
  const lower = metricNamed(comparison.metric).better === "lower";
  const better = (a: ComparisonRow, b: ComparisonRow): boolean => (lower ? a.mean! < b.mean! : a.mean! > b.mean!);
  const column = run.cases.length > 1 ? 2 : 1;
  const lines = table.querySelectorAll("tbody tr");
  comparison.rows.forEach((row, at) => {
    const rivals = comparison.rows.filter((other) => other.case === row.case && other.mean !== null);
    const best = row.mean !== null && rivals.length > 1 && !rivals.some((other) => better(other, row));
    if (best) lines[at]?.children[column]?.classList.add("best");
    // A new case starts: a line above it.
    if (at > 0 && comparison.rows[at - 1]!.case !== row.case) lines[at]?.classList.add("next");
  });
  return table;
}

export function claimsSection(claims: Claim[]): HTMLElement | null {
  if (claims.length === 0) return null;
  const held = claims.filter((claim) => claim.holds === true).length;
  const verdict = (claim: Claim): HTMLElement => {
    const [mark, text, kind] = claim.holds === null ? ["–", "not checked", "open"] : claim.holds ? ["✓", "holds", "good"] : ["✗", "fails", "bad"];
    return h("td", {}, h("span", { class: `verdict ${kind}` }, h("span", { "aria-hidden": "true" }, mark!), ` ${text}`));
  };
  const rows = claims.map((claim) => h("tr", {}, h("th", { scope: "row" }, claim.name), verdict(claim), h("td", {}, claim.claim), h("td", {}, claim.figures)));
  return h(
    "section",
    { id: "claims", "aria-labelledby": "claims-title" },
    h("h2", { id: "claims-title" }, "Claims"),
    h("p", { class: "lead" }, `${held} of ${claims.length} hold in this run.`),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Claims" },
      h("table", { class: "claims" }, h("thead", {}, h("tr", {}, ["", "Verdict", "Claim", "Figures"].map((name) => h("th", { scope: "col" }, name || h("span", { class: "unseen" }, "Name"))))), h("tbody", {}, rows)),
    ),
  );
}
