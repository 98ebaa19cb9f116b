// SPDX-License-Identifier: Apache-2.0
// The tables of `compare` and of `--check`.
import type { Claim, Comparison, ComparisonRow, Run } from "../data";
import { h } from "../dom";
import type { Table } from "../figure";
import { bytes, seconds } from "../format";
import { metricNamed } from "../metrics";
import { averageCell, tableElement, valueCell } from "../table";

export function comparisonSection(run: Run): HTMLElement | null {
  const comparison = run.comparison;
  if (!comparison || comparison.rows.length === 0) return null;
  return h(
    "section",
    { id: "comparison", "aria-labelledby": "comparison-title" },
    h("h2", { id: "comparison-title" }, "Comparison"),
    h("p", { class: "lead" }, `After the last round, with standard errors over trials; the best of each case in bold. Target: ${comparison.target}.`),
    marked(tableElement(comparisonTable(run, comparison)), run, comparison),
    verdicts(run, comparison),
  );
}

// What a word in a column cannot say. Methods that converged have nothing to add.
function verdicts(run: Run, comparison: Comparison): HTMLElement | null {
  const several = run.cases.length > 1;
  const lines = comparison.rows
    .filter((row) => row.verdict && row.verdict.kind !== "converged")
    .map((row) => h("li", {}, h("strong", {}, `${row.algorithm}${several ? ` (${run.cases[row.case]!.name})` : ""}`), ` – ${row.verdict!.text}.`));
  return lines.length === 0 ? null : h("ul", { class: "verdicts" }, lines);
}

const textColumns = (run: Run): number => (run.cases.length > 1 ? 2 : 1);

function comparisonTable(run: Run, comparison: Comparison): Table {
  const several = run.cases.length > 1;
  const labels = comparison.figures.map((name) => metricNamed(name).short);
  return {
    caption: "",
    columns: ["Method", ...(several ? ["Case"] : []), ...labels, "Trials", "Rounds", "Rounds to target", "Bytes to target", "Bytes", "Time", "Verdict"],
    rows: comparison.rows.map((row) => [
      row.algorithm,
      ...(several ? [run.cases[row.case]!.name] : []),
      ...comparison.figures.map((name) => averageCell(row.figures[name]?.[0], row.figures[name]?.[1])),
      valueCell(row.trials, row.failed > 0 ? `${row.trials}, ${row.failed} failed` : undefined),
      valueCell(row.rounds),
      valueCell(row.rounds_to_target, row.rounds_to_target === null ? "not reached" : undefined),
      valueCell(row.bytes_to_target, bytes(row.bytes_to_target)),
      valueCell(row.bytes, bytes(row.bytes)),
      valueCell(row.seconds, seconds(row.seconds)),
      row.verdict?.kind ?? "–",
    ]),
  };
}

function marked(table: HTMLElement, run: Run, comparison: Comparison): HTMLElement {
  const lines = table.querySelectorAll("tbody tr");
  comparison.rows.forEach((row, at) => {
    const rivals = comparison.rows.filter((other) => other.case === row.case);
    comparison.figures.forEach((name, column) => {
      if (isBest(row, rivals, name)) lines[at]?.children[textColumns(run) + column]?.classList.add("best");
    });
    // A new case starts: a line above it.
    if (at > 0 && comparison.rows[at - 1]!.case !== row.case) lines[at]?.classList.add("next");
  });
  return table;
}

// Spread and the like have no better or worse; one method alone is not the best of anything.
function isBest(row: ComparisonRow, rivals: ComparisonRow[], name: string): boolean {
  const { better } = metricNamed(name);
  const own = row.figures[name]?.[0];
  const values = rivals.map((rival) => rival.figures[name]?.[0]).filter((value) => typeof value === "number");
  if (better === "" || typeof own !== "number" || values.length < 2) return false;
  return values.every((value) => (better === "lower" ? own <= value : own >= value));
}

function verdict(claim: Claim | undefined): HTMLElement {
  const [mark, text, kind] = !claim ? ["–", "not run", "open"] : claim.holds === null ? ["–", "not checked", "open"] : claim.holds ? ["✓", "holds", "good"] : ["✗", "fails", "bad"];
  return h("span", { class: `verdict ${kind}` }, h("span", { "aria-hidden": "true" }, mark!), ` ${text}`);
}

const heldOf = (claims: Claim[]): string => `${claims.filter((claim) => claim.holds === true).length} of ${claims.length} hold`;

// Claims of a run; where one with the other settings lies beside it, two columns.
export function claimsSection(claims: Claim[]): HTMLElement | null {
  if (claims.length === 0) return null;
  const paper = claims.filter((claim) => claim.settings !== "fedstein");
  const own = claims.filter((claim) => claim.settings === "fedstein");
  const both = paper.length > 0 && own.length > 0;
  const rows = both
    ? [...new Set(claims.map((claim) => claim.name))].map((name) => {
        const results = [paper, own].map((side) => side.find((claim) => claim.name === name));
        const text = results.find((claim) => claim)?.claim ?? "";
        return h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, text), results.map((claim) => h("td", { class: "side" }, verdict(claim), h("br", {}), claim?.figures ?? "")));
      })
    : claims.map((claim) => h("tr", {}, h("th", { scope: "row" }, claim.name), h("td", {}, verdict(claim)), h("td", {}, claim.claim), h("td", {}, claim.figures)));
  const columns = both ? ["", "Claim", "Paper's settings", "fedstein's own"] : ["", "Verdict", "Claim", "Figures"];
  const lead = both ? `With the paper's settings ${heldOf(paper)}, with fedstein's own and c-dsvgd ${heldOf(own)}.` : `${heldOf(claims)} in this run.`;
  return h(
    "section",
    { id: "claims", "aria-labelledby": "claims-title" },
    h("h2", { id: "claims-title" }, "Claims"),
    h("p", { class: "lead" }, lead),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Claims" },
      h("table", { class: both ? "claims both" : "claims" }, h("thead", {}, h("tr", {}, columns.map((name) => h("th", { scope: "col" }, name || h("span", { class: "unseen" }, "Name"))))), h("tbody", {}, rows)),
    ),
  );
}
