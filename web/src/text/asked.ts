// SPDX-License-Identifier: Apache-2.0
// What was asked: data, model, agents and how the rows were split among them, methods, rounds, trials.
import type { Case, Run } from "../data";
import { h } from "../dom";
import { plural, whole } from "../format";

const kModels: Record<string, string> = {
  "logistic-regression": "logistic regression",
  "softmax-regression": "softmax regression",
  "linear-regression": "linear regression",
  "poisson-regression": "Poisson regression",
  "negative-binomial-regression": "negative binomial regression",
  "bnn-classification": "neural network for classes",
  "bnn-regression": "neural network for numbers",
  "gaussian-mixture-1d": "mixture of Gaussians in one dimension",
  "gaussian-mixture-2d": "mixture of Gaussians in two dimensions",
};

const kMostNamed = 6;

// "a, b, c and 4 more"
export function listed(names: string[], most = kMostNamed): string {
  if (names.length <= most) return names.join(", ");
  return `${names.slice(0, most).join(", ")} and ${names.length - most} more`;
}

const distinct = <T>(values: T[]): T[] => [...new Set(values)];

export const methodsOf = (run: Run): string[] => distinct(run.series.map((series) => series.algorithm));

// "60" or "10 to 100".
function span(values: number[]): string {
  const low = Math.min(...values);
  const high = Math.max(...values);
  if (values.length === 0) return "none yet";
  return low === high ? whole(low) : `${whole(low)} to ${whole(high)}`;
}

function sizeOf({ rows }: Case): string {
  if (!rows) return "";
  const kind = rows.classes > 0 ? plural(rows.classes, "class", "classes") : "a number to predict";
  const kept = rows.kept_back > 0 ? `, ${whole(rows.kept_back)} kept back` : "";
  return `${whole(rows.training)} rows to learn from, ${whole(rows.test)} to test on${kept}; ${plural(rows.features, "feature")}, ${kind}`;
}

function sharesOf({ rows }: Case): string {
  if (!rows || rows.agents < 2) return "";
  return ` with ${rows.least === rows.most ? "" : `${whole(rows.least)} to `}${plural(rows.most, "row")}${rows.least === rows.most ? " each" : ""}`;
}

function askedFacts(run: Run): [string, string | HTMLElement[]][] {
  const names = distinct(run.cases.map((one) => one.dataset.split("/").at(-1) ?? ""));
  const first = run.cases[0];
  const same = (of: (one: Case) => string): boolean => distinct(run.cases.map(of)).length === 1;
  const size = first && same(sizeOf) ? sizeOf(first) : "";
  const agents = span(distinct(run.cases.map((one) => one.agents)));
  const models = distinct(run.cases.map((one) => kModels[one.model] ?? one.model)).filter(Boolean);
  const splits = distinct(run.cases.map((one) => one.split)).filter(Boolean);
  const rounds = run.comparison?.rows.map((row) => row.rounds) ?? run.series.flatMap((series) => series.rounds.at(-1) ?? []);
  const facts: [string, string | HTMLElement[]][] = [
    [names.length > 1 ? `${names.length} datasets` : "Dataset", `${listed(names)}${size ? `: ${size}` : ""}`],
    ["Model", listed(models)],
    ["Agents", `${agents}${first && same(sharesOf) ? sharesOf(first) : ""}`],
    ["Split", splits.length > 2 ? `${splits.length} splits: see the cases` : splits.join("; or ")],
    ["Rounds", span(distinct(rounds))],
    ["Trials", run.trials === 1 ? "1" : `${run.trials}, each with a seed of its own`],
    [methodsOf(run).length === 1 ? "Method" : `${methodsOf(run).length} methods`, methodNames(run)],
    ...(run.cases.length > 1 ? [[`${run.cases.length} cases`, run.cases.length > 4 ? listed(run.cases.map((one) => one.name), 4) : run.cases.map((one) => one.name).join("; ")] as [string, string]] : []),
  ];
  return facts.filter(([, value]) => value !== "");
}

// Names with hyphens stay in one piece.
function methodNames(run: Run): HTMLElement[] {
  const names = methodsOf(run);
  return names.map((name, at) => h("span", {}, h("span", { class: "whole" }, `${name}${at + 1 < names.length ? "," : ""}`), " "));
}

export function asked(run: Run): HTMLElement {
  return h(
    "section",
    { id: "asked", class: "asked", "aria-labelledby": "asked-title" },
    h("h3", { id: "asked-title" }, "What was asked"),
    h("dl", { class: "facts" }, askedFacts(run).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
  );
}
