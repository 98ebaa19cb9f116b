// SPDX-License-Identifier: Apache-2.0
// The tables of `compare` and of `--check`.
import type { Claim, Comparison, ComparisonRow, Run } from "../data";
import { h } from "../dom";
import type { Cell } from "../figure";
import { bytes, seconds } from "../format";
import { metricNamed } from "../metrics";
import { averageCell, cellElement, valueCell } from "../table";

// A table with more columns does not fit a page: figures beyond go into a table of their own.
const kMostFigures = 8;

interface Column {
  name: string;
  cell(row: ComparisonRow): Cell | string;
  isBest?(row: ComparisonRow): boolean;
}

export function comparisonSection(run: Run): HTMLElement | null {
  const comparison = run.comparison;
  if (!comparison || comparison.rows.length === 0) return null;
  const errors = run.trials > 1 ? ", with standard errors over trials" : "";
  const best = run.series.length > 1 ? "; the best of each case in bold" : "";
  const figures = figureColumns(comparison);
  const tables = [];
  for (let at = 0; at < figures.length; at += kMostFigures) {
    tables.push(rowsTable(run, comparison, figures.slice(at, at + kMostFigures), "figures", "Figures after the last round"));
  }
  return h(
    "section",
    { id: "comparison", "aria-labelledby": "comparison-title" },
    h("h2", { id: "comparison-title" }, "Table"),
    h("p", { class: "lead" }, `After the last round${errors}${best}.`),
    tables,
    h("h3", {}, "What it took"),
    h("p", { class: "lead" }, `Target: ${comparison.target}. Bytes are those of one trial, in both directions.`),
    rowsTable(run, comparison, kCosts, "costs", "What it took"),
  );
}

function figureColumns(comparison: Comparison): Column[] {
  return comparison.figures.map((name) => ({
    name: metricNamed(name).short,
    cell: (row) => averageCell(row.figures[name]?.[0], row.figures[name]?.[1]),
    isBest: (row) => isBest(row, comparison.rows.filter((other) => other.case === row.case), name),
  }));
}

const kCosts: Column[] = [
  { name: "Trials", cell: (row) => valueCell(row.trials, row.failed > 0 ? `${row.trials}, ${row.failed} failed` : undefined) },
  { name: "Rounds", cell: (row) => valueCell(row.rounds) },
  { name: "Rounds to target", cell: (row) => valueCell(row.rounds_to_target, row.rounds_to_target === null ? "not held" : undefined) },
  { name: "Bytes to target", cell: (row) => valueCell(row.bytes_to_target, bytes(row.bytes_to_target)) },
  { name: "Bytes", cell: (row) => valueCell(row.bytes, bytes(row.bytes)) },
  { name: "Time", cell: (row) => valueCell(row.seconds, seconds(row.seconds)) },
  { name: "Verdict", cell: (row) => row.verdict?.kind ?? "–" },
];

// Cases one below the other, each under its name.
function rowsTable(run: Run, comparison: Comparison, columns: Column[], kind: string, label: string): HTMLElement {
  const several = run.cases.length > 1;
  const bodies = run.cases.map((one, index) => {
    const rows = comparison.rows.filter((row) => row.case === index);
    const name = several && h("tr", { class: "group" }, h("th", { scope: "rowgroup", colspan: columns.length + 1 }, one.name));
    return h("tbody", { "data-case": one.name }, name, rows.map((row) => rowElement(row, columns)));
  });
  const head = h("tr", {}, ["Method", ...columns.map((column) => column.name)].map((text) => h("th", { scope: "col" }, text)));
  return h("div", { class: `stack ${kind}`, role: "region", "aria-label": label }, h("table", {}, h("thead", {}, head), bodies));
}

function rowElement(row: ComparisonRow, columns: Column[]): HTMLElement {
  const cells = columns.map((column) => {
    const cell = cellElement(column.cell(row), column.name);
    if (column.isBest?.(row)) cell.classList.add("best");
    return cell;
  });
  return h("tr", { class: "method" }, h("th", { scope: "row" }, row.algorithm), cells);
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

const kSides = ["Paper's settings", "fedstein's own"];

const cell = (column: string, content: HTMLElement | string): HTMLElement => h("td", { "data-column": column }, h("span", {}, content));

const sideCell = (column: string, claim: Claim | undefined): HTMLElement =>
  h("td", { class: "side", "data-column": column }, h("span", {}, verdict(claim), h("br", {}), claim?.figures ?? ""));

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
        return h("tr", {}, h("th", { scope: "row" }, name), cell("Claim", text), results.map((claim, side) => sideCell(kSides[side]!, claim)));
      })
    : claims.map((claim) => h("tr", {}, h("th", { scope: "row" }, claim.name), cell("Verdict", verdict(claim)), cell("Claim", claim.claim), cell("Figures", claim.figures)));
  const columns = both ? ["", "Claim", ...kSides] : ["", "Verdict", "Claim", "Figures"];
  const lead = both ? `With the paper's settings ${heldOf(paper)}, with fedstein's own and c-dsvgd ${heldOf(own)}.` : `${heldOf(claims)} in this run.`;
  return h(
    "section",
    { id: "claims", "aria-labelledby": "claims-title" },
    h("h2", { id: "claims-title" }, "Claims"),
    h("p", { class: "lead" }, lead),
    h(
      "div",
      { class: "stack", role: "region", "aria-label": "Claims" },
      h("table", { class: both ? "claims both" : "claims" }, h("thead", {}, h("tr", {}, columns.map((name) => h("th", { scope: "col" }, name || h("span", { class: "unseen" }, "Name"))))), h("tbody", {}, rows)),
    ),
  );
}
