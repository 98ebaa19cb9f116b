// SPDX-License-Identifier: Apache-2.0
// Several runs: the list of them, each a link to its own part of the page.
import type { Run } from "../data";
import { h } from "../dom";
import { runNames } from "../figures/runs";
import { date, plural } from "../format";
import { warningsOf } from "./summary";

export function runsTable(runs: Run[], open: (index: number) => void): HTMLElement {
  const names = runNames(runs);
  const rows = runs.map((run, at) => {
    const count = warningsOf(run).length;
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, h("button", { type: "button", class: "link", onclick: () => open(at) }, names[at]!)),
      h("td", {}, run.title),
      h("td", { class: "number" }, date(run.started)),
      h("td", { class: "number" }, run.seed),
      h("td", { class: "number" }, run.trials),
      h("td", { class: "number" }, new Set(run.series.map((series) => series.algorithm)).size),
      h("td", {}, run.finished ? (count ? plural(count, "warning") : "finished") : "unfinished"),
    );
  });
  const columns = ["Run", "Title", "Started", "Seed", "Trials", "Methods", "State"];
  return h(
    "div",
    { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Runs" },
    h("table", {}, h("thead", {}, h("tr", {}, columns.map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, rows)),
  );
}
