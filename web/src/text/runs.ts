// SPDX-License-Identifier: Apache-2.0
// Several runs: the list of them, each a link to its own part of the page.
import type { Run } from "../data";
import { h } from "../dom";
import { runNames } from "../figures/runs";
import { date, plural } from "../format";
import { warningsOf } from "./summary";

const kColumns = ["Run", "Title", "Started", "Seed", "Trials", "Methods", "State"];

export function runsTable(runs: Run[], open: (index: number) => void): HTMLElement {
  const names = runNames(runs);
  const rows = runs.map((run, at) => {
    const count = warningsOf(run).length;
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, h("button", { type: "button", class: "link", onclick: () => open(at) }, names[at]!)),
      [run.title, date(run.started), run.seed, run.trials, new Set(run.series.map((series) => series.algorithm)).size, run.finished ? (count ? plural(count, "warning") : "finished") : "unfinished"].map((content, column) =>
        h("td", { "data-column": kColumns[column + 1] }, h("span", {}, content)),
      ),
    );
  });
  return h(
    "div",
    { class: "stack tall", tabindex: 0, role: "region", "aria-label": "Runs" },
    h("table", {}, h("thead", {}, h("tr", {}, kColumns.map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, rows)),
  );
}
