// SPDX-License-Identifier: Apache-2.0
// The start of a run's page: its title, what was asked, what came out, and what should be known before believing it.
import type { ComparisonRow, Run } from "../data";
import { h } from "../dom";
import { plural } from "../format";
import { asked, listed } from "./asked";
import { outcome } from "./outcome";

export function runHeading(run: Run): HTMLElement {
  return h(
    "header",
    { class: "heading" },
    h("p", { class: "eyebrow" }, run.name),
    h("h2", {}, run.title || run.name),
    h("div", { class: run.cases.length > 1 ? "brief wide" : "brief" }, outcome(run), asked(run)),
  );
}

const kWarned = ["diverging", "collapsed", "overconfident"];

// A method's verdict, once for all the cases that have the same kind; the sentence is the first one's.
function verdictLines(run: Run, wanted: (kind: string) => boolean): string[] {
  const groups = new Map<string, ComparisonRow[]>();
  for (const row of run.comparison?.rows ?? []) {
    if (!row.verdict || !wanted(row.verdict.kind)) continue;
    const key = `${row.verdict.kind}\n${row.algorithm}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].map((rows) => {
    const [first] = rows as [ComparisonRow];
    const nameOf = (row: ComparisonRow): string => run.cases[row.case]!.name;
    const where = run.cases.length > 1 ? ` (${nameOf(first)}${rows.length > 1 ? `; likewise in ${listed(rows.slice(1).map(nameOf), 3)}` : ""})` : "";
    return `${first.algorithm}${where}: ${first.verdict!.text}.`;
  });
}

// Failures of one series are one line: thirty late agents are one fact, not thirty.
export function warningsOf(run: Run): string[] {
  const lines = [...run.warnings];
  for (const kind of kWarned) lines.push(...verdictLines(run, (found) => found === kind));
  for (const series of run.series) {
    const where = `${series.algorithm}${run.cases.length > 1 ? ` (${run.cases[series.case]!.name})` : ""}`;
    for (const { trial, error } of series.errors) lines.push(`${where}, trial ${trial} failed: ${error}`);
    const agents = new Set(series.failures.map((failure) => failure.agent)).size;
    if (series.failures.length === 0) continue;
    const kinds = [...new Set(series.failures.map((failure) => failure.kind))].join(", ");
    lines.push(`${where}: ${plural(series.failures.length, "failed update")} of ${plural(agents, "agent")} (${kinds}).`);
  }
  return lines;
}

// No fault, but worth knowing: methods that had not come to rest, or that nobody could judge.
export const remarksOf = (run: Run): string[] => verdictLines(run, (kind) => kind !== "converged" && !kWarned.includes(kind));

// What stands between backticks is a command or a key.
const withCode = (line: string): (HTMLElement | string)[] => line.split("`").map((part, at, all) => (at % 2 === 1 && at + 1 < all.length ? h("code", {}, part) : at % 2 === 1 ? `\`${part}` : part));

const kShown = 6;

function list(lines: string[]): (HTMLElement | null)[] {
  const items = (some: string[]): HTMLElement => h("ul", {}, some.map((line) => h("li", {}, withCode(line))));
  const rest = lines.slice(kShown);
  return [items(lines.slice(0, kShown)), rest.length ? h("details", {}, h("summary", {}, `${rest.length} more`), items(rest)) : null];
}

export function warnings(run: Run): HTMLElement | null {
  const lines = warningsOf(run);
  const remarks = remarksOf(run);
  if (lines.length + remarks.length === 0) return null;
  const title = lines.length > 0 ? plural(lines.length, "warning") : "Good to know";
  return h(
    "section",
    { class: lines.length > 0 ? "warnings" : "remarks", "aria-labelledby": "warnings-title" },
    h("h2", { id: "warnings-title" }, title),
    lines.length > 0 ? list(lines) : [],
    lines.length > 0 && remarks.length > 0 ? h("h3", {}, "Good to know") : null,
    remarks.length > 0 ? list(remarks) : [],
  );
}
