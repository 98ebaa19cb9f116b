// SPDX-License-Identifier: Apache-2.0
// The jobs of a run: one row a method, one cell a trial.
import { h } from "../dom";
import { plural, seconds, whole } from "../format";
import { named } from "../names";
import type { Jobs, LiveCase, Parts, SeriesFacts } from "./parts";

const kStates: Record<string, { state: string; sign: string; text: string }> = {
  d: { state: "done", sign: "✓", text: "done" },
  r: { state: "running", sign: "●", text: "running" },
  w: { state: "waiting", sign: "·", text: "waiting" },
  f: { state: "failed", sign: "✕", text: "failed" },
};
const kTold = 3; // jobs of one method that are told in words

export function jobsSection(parts: Parts): HTMLElement | null {
  const { run, cases, series, jobs } = parts;
  if (run?.kind !== "run" || jobs.length === 0) return null;
  const bodies = cases.map((one, at) => caseBody(one, cases.length > 1, series.flatMap((each, index) => (each.case === at && jobs[index] ? [row(each, jobs[index])] : []))));
  const columns = ["Method", "Trials", "Done", "At work"];
  return h(
    "section",
    { id: "jobs", "aria-labelledby": "jobs-title" },
    h("h2", { id: "jobs-title" }, "Jobs"),
    h("p", { class: "lead" }, "One job is one method on one trial of one case."),
    h("p", { class: "lead job-keys" }, Object.values(kStates).map(({ state, sign, text }) => h("span", { class: "job-key" }, h("span", { class: `job ${state}`, "aria-hidden": "true" }, sign), text))),
    h("div", { class: "stack tall jobs", role: "region", "aria-label": "Jobs", tabindex: 0 }, h("table", {}, h("thead", {}, h("tr", {}, columns.map((text) => h("th", { scope: "col" }, text)))), bodies)),
  );
}

function caseBody(one: LiveCase, several: boolean, rows: HTMLElement[]): HTMLElement {
  const name = several && h("tr", { class: "group" }, h("th", { scope: "rowgroup", colspan: 4 }, one.name));
  return h("tbody", {}, name, rows);
}

function row(series: SeriesFacts, jobs: Jobs): HTMLElement {
  const states = [...jobs.states];
  const done = states.filter((state) => state === "d").length;
  const failed = states.filter((state) => state === "f").length;
  const cells = states.map((letter, at) => {
    const { state, sign, text } = kStates[letter] ?? kStates["w"]!;
    return h("span", { class: `job ${state}`, title: `trial ${at + 1}: ${text}` }, h("span", { "aria-hidden": "true" }, sign));
  });
  const label = `${plural(states.length, "trial")}: ${Object.entries(kStates).flatMap(([letter, { text }]) => {
    const number = states.filter((state) => state === letter).length;
    return number > 0 ? [`${number} ${text}`] : [];
  }).join(", ")}`;
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, named(series.algorithm, series.method)),
    h("td", { "data-column": "Trials" }, h("div", { class: "job-row", role: "img", "aria-label": label }, cells)),
    h("td", { "data-column": "Done" }, h("span", {}, `${whole(done)} of ${whole(states.length)}${failed > 0 ? `, ${failed} failed` : ""}`)),
    h("td", { "data-column": "At work" }, h("div", {}, working(jobs))),
  );
}

function working(jobs: Jobs): HTMLElement[] {
  const lines = jobs.at_work.slice(0, kTold).map(([trial, round, rounds, left]) => {
    const rest = left === null ? "" : `, about ${seconds(left)} left`;
    const trials = jobs.states.length > 1 ? `trial ${trial}: ` : "";
    return h("div", {}, `${trials}round ${whole(round)} of ${whole(rounds)}${rest}`);
  });
  const more = jobs.at_work.length - kTold;
  return more > 0 ? [...lines, h("div", {}, `and ${more} more`)] : lines.length > 0 ? lines : [h("div", {}, "–")];
}
