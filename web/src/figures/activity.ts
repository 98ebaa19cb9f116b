// SPDX-License-Identifier: Apache-2.0
// Who took part when: one cell per agent and round, of the first trial; failures of that trial stand out.
import * as Plot from "@observablehq/plot";
import type { Run, Series } from "../data";
import { choice } from "../dom";
import type { Canvas, Drawn, Figure, Panel } from "../figure";
import { plural } from "../format";
import type { MethodLook } from "../methods";
import { valueCell } from "../table";
import { axisNumber } from "./curves";
import { chart, ticksFor, tipStyle } from "./plot";

export const active = (series: Series): boolean => (series.activity?.rounds.length ?? 0) > 0;

export function activityFigure(run: Run, looks: Map<string, MethodLook>, id: string): Figure {
  const all = run.series.filter(active);
  const name = (series: Series): string => [run.cases.length > 1 ? run.cases[series.case]!.name : "", series.algorithm].filter(Boolean).join(" · ");
  // What went wrong is what one looks for here.
  const worst = Math.max(0, all.findIndex((series) => series.failures.length > 0));
  const state = { at: String(worst) };
  const figure: Figure = {
    id,
    title: "Agents at work",
    note: "One column per round of the first trial: whose update was taken in, and who failed.",
    legend: [],
    panelWidth: 320,
    controls: [
      choice("Series", all.map((series, at) => ({ value: String(at), text: name(series) })), state.at, (at) => {
        state.at = at;
        figure.changed?.();
      }),
    ],
    panels: () => all.slice(Number(state.at), Number(state.at) + 1).map((series) => panelOf(run, series, name(series), looks.get(series.algorithm)!)),
  };
  return figure;
}

function panelOf(run: Run, series: Series, title: string, look: MethodLook): Panel {
  const agents = Math.max(run.cases[series.case]!.agents, 1 + Math.max(0, ...(series.activity?.folded.flat() ?? [])));
  const turns = new Array<number>(agents).fill(0);
  for (const folded of series.activity?.folded ?? []) for (const agent of folded) turns[agent] = (turns[agent] ?? 0) + 1;
  const failures = series.failures.filter((failure) => failure.trial === 1);
  const description = `${title}: ${plural(agents, "agent")} over ${plural(series.activity?.rounds.length ?? 0, "round")}, ${Math.min(...turns)} to ${Math.max(...turns)} updates taken in from each, ${plural(failures.length, "failure")}.`;
  return {
    title: "",
    note: description,
    description,
    draw: (canvas) => draw(canvas, series, agents, look, description),
    table: () => ({
      caption: title,
      columns: ["Agent", "Updates taken in", "Failures", "Reasons"],
      rows: turns.map((count, agent) => {
        const own = failures.filter((failure) => failure.agent === agent);
        return [String(agent), valueCell(count), valueCell(own.length), [...new Set(own.map((f) => `${f.kind}: ${f.reason}`))].join("; ")];
      }),
    }),
  };
}

function draw(canvas: Canvas, series: Series, agents: number, look: MethodLook, description: string): Drawn {
  const { theme } = canvas;
  const rounds = series.activity!.rounds;
  const cells = rounds.flatMap((round, at) => (series.activity!.folded[at] ?? []).map((agent) => ({ round, agent, text: `Agent ${agent}, round ${round}\nupdate taken in` })));
  const failures = series.failures.filter((failure) => failure.trial === 1).map((f) => ({ ...f, text: `Agent ${f.agent}, round ${f.round}\n${f.kind}: ${f.reason}` }));
  const row = Math.max(5, Math.min(18, 420 / agents));
  const last = Math.max(1, ...rounds);
  const cell = { x1: (c: { round: number }) => c.round - 0.5, x2: (c: { round: number }) => c.round + 0.5, y1: (c: { agent: number }) => c.agent - 0.5, y2: (c: { agent: number }) => c.agent + 0.5 };
  const gap = last > canvas.width / 5 ? 0 : 0.5;
  return chart(canvas, {
    description,
    height: Math.round(62 + row * agents),
    x: { domain: [0.5, last + 0.5] },
    y: { domain: [agents - 0.5, -0.5] },
    marks: [
      Plot.frame({ stroke: theme.line, fill: theme.line, fillOpacity: 0.35 }),
      Plot.axisX({ label: "Round", ticks: Math.min(last, ticksFor(canvas.width, 60)), tickFormat: whole, labelAnchor: "center", labelArrow: "none", labelOffset: 36, color: theme.soft }),
      Plot.axisY({ label: "Agent", ticks: Math.min(agents, ticksFor(row * agents, 26)), tickFormat: whole, labelArrow: "none", tickSize: 0, color: theme.soft }),
      Plot.rect(cells, { ...cell, fill: theme.hues[look.hue], fillOpacity: 0.85, inset: gap, className: "series" }),
      Plot.rect(failures, { ...cell, fill: theme.paper, stroke: theme.bad, strokeWidth: 1.4, inset: 0.5 }),
      Plot.dot(failures, { x: "round", y: "agent", symbol: "times", r: Math.min(3.5, row / 3), stroke: theme.bad, strokeWidth: 1.6, className: "failures" }),
      Plot.tip([...cells, ...failures], Plot.pointer({ x: "round", y: "agent", title: "text", maxRadius: 20, ...tipStyle(canvas) })),
    ],
  });
}

const whole = (value: number): string => (Number.isInteger(value) ? axisNumber(value) : "");
