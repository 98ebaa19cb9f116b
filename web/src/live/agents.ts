// SPDX-License-Identifier: Apache-2.0
// Who takes part: all agents at a glance, and in words those that are not at work.
import { h } from "../dom";
import { bytes, plural, seconds, whole } from "../format";
import { tableElement } from "../table";
import type { Cell, Table } from "../figure";
import type { Agent, AgentState, Parts } from "./parts";
import { disclosure } from "./section";

// Each state has a sign of its own, so that none is told by colour alone.
const kStates: Record<AgentState, { sign: string; text: string; many: string }> = {
  working: { sign: "●", text: "at work", many: "at work" },
  here: { sign: "○", text: "here", many: "here, not at work" },
  away: { sign: "–", text: "away", many: "away" },
  barred: { sign: "✕", text: "revoked", many: "revoked" },
  new: { sign: "?", text: "not enrolled", many: "not enrolled yet" },
  left: { sign: "✓", text: "has left", many: "have left" },
};
const kOrder: AgentState[] = ["barred", "away", "new", "working", "here", "left"];
const kNamed = 40; // more agents than that are signs without names

export function agentsSection(parts: Parts, opened: ReadonlySet<string>): HTMLElement | null {
  const { agents } = parts;
  if (agents.length === 0) return null;
  const telling = agents.filter((agent) => agent.state === "away" || agent.state === "barred" || agent.state === "new");
  return h(
    "section",
    { id: "agents", "aria-labelledby": "agents-title" },
    h("h2", { id: "agents-title" }, "Agents"),
    h("ul", { class: "counts" }, kOrder.map((state) => count(agents, state))),
    h("ul", { class: agents.length > kNamed ? "wall small" : "wall", "aria-label": plural(agents.length, "agent") }, agents.map((agent) => chip(agent, agents.length <= kNamed))),
    telling.length > 0 ? tableElement(absent(telling.slice(0, kNamed)), { label: "Agents that are not here", stack: true }) : null,
    disclosure("agents-all", "All agents in numbers", opened, () => tableElement(inNumbers(agents), { label: "All agents", stack: true })),
  );
}

function count(agents: Agent[], state: AgentState): HTMLElement | null {
  const number = agents.filter((agent) => agent.state === state).length;
  return number > 0 ? h("li", { class: `agent ${state}` }, mark(state), ` ${whole(number)} ${kStates[state].many}`) : null;
}

const mark = (state: AgentState): HTMLElement => h("span", { class: "sign", "aria-hidden": "true" }, kStates[state].sign);

function chip(agent: Agent, withName: boolean): HTMLElement {
  const text = `${agent.name}: ${kStates[agent.state].text}`;
  return h("li", { class: `agent ${agent.state}`, title: text }, mark(agent.state), withName ? h("span", { class: "name" }, agent.name) : h("span", { class: "unseen" }, text));
}

function absent(agents: Agent[]): Table {
  const order = [...agents].sort((a, b) => kOrder.indexOf(a.state) - kOrder.indexOf(b.state));
  return {
    caption: "",
    columns: ["Agent", "State", "Since", "Why"],
    rows: order.map((agent) => [agent.name, kStates[agent.state].text, since(agent), agent.why || (agent.state === "new" ? "it has not come yet" : "–")]),
  };
}

function since(agent: Agent): string {
  const time = new Date(agent.since).getTime();
  if (Number.isNaN(time)) return "–";
  const ago = Math.max(0, (Date.now() - time) / 1000);
  const coarse = ago < 60 ? Math.round(ago) : 60 * Math.round(ago / 60);
  return `${agent.since.slice(11, 19)} UTC, ${seconds(coarse)} ago`;
}

function inNumbers(agents: Agent[]): Table {
  const cell = (value: number, text = whole(value)): Cell => ({ text, value });
  return {
    caption: "",
    columns: ["Agent", "State", "Rows", "Last counted in round", "Lapses", "Missed deadlines", "Failures", "Refused", "Received", "Sent"],
    rows: agents.map((agent) => {
      const [counted, lapses, missed, failures, refused, received, sent] = agent.counts;
      return [agent.name, kStates[agent.state].text, cell(agent.rows), cell(counted), cell(lapses), cell(missed), cell(failures), cell(refused), cell(received, bytes(received)), cell(sent, bytes(sent))];
    }),
  };
}
