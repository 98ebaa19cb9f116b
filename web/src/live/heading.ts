// SPDX-License-Identifier: Apache-2.0
// What is running, how far it is, and the latest figures.
import { h } from "../dom";
import { bytes, date, number, plural, seconds, whole } from "../format";
import { metricNamed } from "../metrics";
import { named } from "../names";
import type { Agent, Parts } from "./parts";

export function heading(parts: Parts): HTMLElement | null {
  const { run, progress } = parts;
  if (!run || !progress) return null;
  const state = parts.federation?.state === "enrolling" ? "enrolling" : progress.state;
  const share = progress.rounds > 0 ? progress.rounds_done / progress.rounds : 0;
  return h(
    "header",
    { class: "heading" },
    h("p", { class: "eyebrow" }, `${run.kind === "federation" ? "Federation" : "Run"} · ${kStates[state]}`),
    h("h2", {}, run.title || run.name),
    h(
      "div",
      { class: "progress", role: "progressbar", "aria-label": "Rounds done", "aria-valuemin": 0, "aria-valuemax": progress.rounds, "aria-valuenow": progress.rounds_done },
      h("span", { style: `width: ${(100 * share).toFixed(2)}%` }),
    ),
    h("p", { class: "where" }, where(parts)),
    parts.federation && h("p", { class: "lead" }, waiting(parts) || "\u00a0"), // its line is kept: what is below stays in its place
    tiles(parts),
    facts(parts),
  );
}

const kStates = { enrolling: "waiting for agents", running: "running", finished: "finished", stopped: "stopped" };

function where(parts: Parts): string {
  const progress = parts.progress!;
  const { federation } = parts;
  const left = progress.state === "running" && progress.seconds_left !== null && progress.rounds_done < progress.rounds ? `about ${seconds(progress.seconds_left)} left` : "";
  const done = federation
    ? `Round ${whole(federation.round)} of ${whole(federation.rounds)}`
    : `${whole(progress.jobs_done)} of ${plural(progress.jobs, "job")} done · ${whole(progress.rounds_done)} of ${whole(progress.rounds)} rounds`;
  return [done, left].filter(Boolean).join(" · ");
}

// For whom the round waits.
function waiting(parts: Parts): string {
  const { federation, agents } = parts;
  if (!federation) return "";
  if (federation.state === "enrolling") {
    const missing = agents.filter((agent) => agent.state === "new");
    return missing.length > 0 ? `The first round begins when all agents have enrolled. Missing: ${listed(missing)}.` : "";
  }
  if (federation.state === "finished") return "All rounds are done. Agents that come now are told so.";
  const waited = agents.filter((agent) => agent.waited_for);
  const away = waited.filter((agent) => agent.state !== "working");
  if (waited.length === 0) return "";
  const note = away.length === 0 ? "" : away.length === waited.length ? (away.length > 1 ? ", all of them away" : ", which is away") : `; away of them: ${listed(away)}`;
  return `Round ${whole(federation.round + 1)} waits for ${listed(waited)}${note}.`;
}

function listed(agents: Agent[]): string {
  const names = agents.map((agent) => agent.name);
  if (names.length > 4) return plural(names.length, "agent");
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : (names[0] ?? "");
}

const kTiles = ["log_likelihood", "accuracy", "rmse", "ece", "mce", "ksd", "spread", "seconds"];

// The last value of each figure, where one method alone is at work.
function tiles(parts: Parts): HTMLElement | null {
  if (parts.series.length !== 1) return null;
  const pieces = parts.pieces(0);
  const found = kTiles.flatMap((name) => {
    const values = pieces.flatMap((piece) => (Object.hasOwn(piece.figures, name) ? piece.figures[name]!.mean.map((value, at) => ({ value, round: piece.rounds[at]! })) : []));
    const last = values.filter((one) => one.value !== null).at(-1);
    return last ? [{ name, ...last }] : [];
  });
  if (found.length === 0) return null;
  return h(
    "dl",
    { class: "tiles" },
    found.map(({ name, value, round }) =>
      h("div", {}, h("dt", {}, metricNamed(name).label), h("dd", {}, name === "seconds" ? seconds(value) : number(value), h("span", { class: "of" }, `round ${whole(round)}`))),
    ),
  );
}

function facts(parts: Parts): HTMLElement {
  const { run, progress, federation, agents, series, cases } = parts;
  const list: [string, string][] = [];
  const one = cases.length === 1 ? cases[0] : undefined;
  if (series.length === 1) list.push(["Method", named(series[0]!.algorithm, series[0]!.method)]);
  else list.push(["Methods", plural(new Set(series.map((each) => each.algorithm)).size, "method")]);
  if (one) list.push(["Model", one.model], ["Dataset", one.dataset]);
  else list.push(["Cases", String(cases.length)]);
  if (run!.trials > 1) list.push(["Trials", String(run!.trials)]);
  if (federation) {
    const rows = agents.reduce((sum, agent) => sum + agent.rows, 0);
    if (rows > 0) list.push(["Rows of all agents", whole(rows)]);
    list.push(["Numbers to the server", bytes(progress!.bytes_up)], ["Numbers to agents", bytes(progress!.bytes_down)]);
    if (federation.address) list.push(["Agents connect to", federation.address]);
  } else if (one) {
    list.push(["Agents", String(one.agents)]);
  }
  list.push(["Started", date(run!.started)]);
  return h("dl", { class: "facts" }, list.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}
