// SPDX-License-Identifier: Apache-2.0
// What was run, and what should be known before believing it.
import type { Run } from "../data";
import { h } from "../dom";
import { date, plural, seconds } from "../format";

export function runHeading(run: Run): HTMLElement {
  return h(
    "header",
    { class: "heading" },
    h("p", { class: "eyebrow" }, run.name),
    h("h2", {}, run.title || run.name),
    h("p", { class: "lead" }, sentence(run)),
    factList(run),
  );
}

function sentence(run: Run): string {
  const methods = new Set(run.series.map((series) => series.algorithm)).size;
  const sets = new Set(run.cases.map((one) => one.dataset)).size;
  const what = `${plural(methods, "method")} in ${plural(run.cases.length, "case")} on ${plural(sets, "dataset")}, ${plural(run.trials, "trial")} each`;
  return `${what}${run.finished ? "." : "; unfinished when this report was written."}`;
}

function factList(run: Run): HTMLElement {
  const agents = [...new Set(run.cases.map((one) => one.agents))].sort((a, b) => a - b);
  const facts: [string, string][] = [
    ["Started", date(run.started)],
    ["Took", run.finished ? seconds((Date.parse(run.finished) - Date.parse(run.started)) / 1000) : "unfinished"],
    ["Seed", run.seed],
    ["Agents", agents.join(", ")],
    ["fedstein", `${run.version}, ${run.precision}`],
    ["Machine", machine(run)],
  ];
  return h("dl", { class: "facts" }, facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value || "–"))));
}

function machine({ host }: Run): string {
  const threads = host["threads"] === undefined ? "" : plural(Number(host["threads"]), "thread");
  return [host["processor"], threads, host["system"]].filter(Boolean).join(", ");
}

// Failures of one series are one line: thirty late agents are one fact, not thirty.
export function warningsOf(run: Run): string[] {
  const lines = [...run.warnings];
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

export function warnings(run: Run): HTMLElement | null {
  const lines = warningsOf(run);
  if (lines.length === 0) return null;
  return h(
    "section",
    { class: "warnings", "aria-labelledby": "warnings-title" },
    h("h2", { id: "warnings-title" }, plural(lines.length, "warning")),
    h("ul", {}, lines.map((line) => h("li", {}, line))),
  );
}
