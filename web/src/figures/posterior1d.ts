// SPDX-License-Identifier: Apache-2.0
// The one-dimensional posterior, round by round: exact shaded, local ones dashed, the particles' density solid.
import * as Plot from "@observablehq/plot";
import type { Posterior1d, Run } from "../data";
import type { Canvas, Drawn, Figure, HoverPlace, Panel } from "../figure";
import { number } from "../format";
import type { MethodLook } from "../methods";
import { valueCell } from "../table";
import { axisNumber } from "./curves";
import { axes, chart, ticksFor } from "./plot";
import { frameAt, RoundSlider, roundsOf } from "./slider";

export function posterior1dFigure(run: Run, looks: Map<string, MethodLook>, id: string, title: string): Figure {
  const slider = new RoundSlider(roundsOf(run.posterior1d), () => figure.changed?.());
  const labels = [...new Set(run.posterior1d.map((one) => one.algorithm))];
  const figure: Figure = {
    id,
    title: title || "Posterior, round by round",
    note: "Shaded: the exact posterior of all data. Dashed: what each agent alone would believe. Solid: the density of the particles, which stand below it as ticks.",
    legend: labels.map((label) => ({ label, look: { ...looks.get(label)!, dash: "" } })),
    panelWidth: 280,
    controls: [slider.element],
    panels: (hidden) => run.posterior1d.filter((one) => !hidden.has(one.algorithm)).map((one) => panelOf(run, one, looks.get(one.algorithm)!, slider.round)),
  };
  return figure;
}

function panelOf(run: Run, data: Posterior1d, look: MethodLook, round: number): Panel {
  const frame = frameAt(data.frames, round);
  const where = run.cases.length > 1 ? `${run.cases[data.case]!.name} · ` : "";
  const title = `${where}${data.algorithm}, round ${frame?.round ?? 0}`;
  const divergence = divergenceAt(run, data, frame?.round ?? 0);
  const density = frame?.density ?? [];
  const description = `Density of ${title}: its highest point is at ${number(mode(data.grid, density), 3)}, that of the exact posterior at ${number(mode(data.grid, data.exact), 3)}${divergence ? `; ${divergence}` : ""}.`;
  const panel: Panel = {
    title,
    description,
    draw: (canvas) => draw(canvas, data, density, frame?.particles ?? [], look, description),
    table: () => ({
      caption: title,
      columns: ["θ", "Exact", data.algorithm, ...data.locals.map((one) => `Agent ${one.agent}`)],
      rows: data.grid.map((x, at) => [{ text: number(x), value: x }, valueCell(data.exact[at]), valueCell(density[at]), ...data.locals.map((one) => valueCell(one.density[at]))]),
    }),
    places: () => data.grid.map((x, at) => place(data, density, look, x, at)),
  };
  if (divergence) panel.note = divergence;
  return panel;
}

function divergenceAt(run: Run, data: Posterior1d, round: number): string {
  const series = run.series.find((one) => one.case === data.case && one.algorithm === data.algorithm);
  const value = series?.figures["kl"]?.mean[series.rounds.indexOf(round)];
  return value === null || value === undefined ? "" : `KL divergence ${number(value, 3)}`;
}

const mode = (grid: number[], density: number[]): number => grid[density.indexOf(Math.max(...density))] ?? NaN;

function place(data: Posterior1d, density: number[], look: MethodLook, x: number, at: number): HoverPlace {
  const exact = data.exact[at] ?? 0;
  const own = density[at] ?? 0;
  return {
    x,
    title: `θ = ${number(x, 3)}`,
    readings: [
      { label: data.algorithm, text: number(own, 3), look: { ...look, dash: "" }, y: own },
      { label: "exact", text: number(exact, 3), look: null, y: exact },
      ...data.locals.map((one) => ({ label: `agent ${one.agent} alone`, text: number(one.density[at], 3), look: null, y: one.density[at] ?? 0 })),
    ],
  };
}

function draw(canvas: Canvas, data: Posterior1d, density: number[], particles: number[], look: MethodLook, description: string): Drawn {
  const { theme } = canvas;
  const height = Math.round(Math.max(220, Math.min(380, canvas.width * 0.55)));
  const pairs = (values: number[]): [number, number][] => data.grid.map((x, at) => [x, values[at] ?? 0]);
  // The scale is that of the whole evolution, so that it does not jump while the slider moves.
  const densities = [data.exact, ...data.locals.map((one) => one.density), ...data.frames.map((frame) => frame.density)];
  const top = Math.max(...densities.map((values) => Math.max(...values)));
  return chart(canvas, {
    description,
    height,
    x: { domain: [data.grid[0] ?? 0, data.grid.at(-1) ?? 1] },
    y: { domain: [0, top * 1.04] },
    marks: [
      ...axes(canvas, { label: "θ", ticks: ticksFor(canvas.width, 60), tickFormat: axisNumber }, { label: "Density", ticks: 4, tickFormat: axisNumber }),
      Plot.areaY(pairs(data.exact), { x: "0", y: "1", fill: theme.exact, fillOpacity: 0.8, className: "exact" }),
      ...data.locals.map((one) => Plot.line(pairs(one.density), { stroke: theme.soft, strokeWidth: 1.3, strokeDasharray: "5 4", className: "local" })),
      Plot.line(pairs(density), { stroke: theme.hues[look.hue], strokeWidth: 2.4, className: "series" }),
      Plot.tickX(particles, { x: (x: number) => x, y: null, stroke: theme.hues[look.hue], strokeOpacity: 0.35, insetTop: height - 62 - 9, clip: true }),
      Plot.ruleY([0], { stroke: theme.soft, strokeWidth: 0.8 }),
    ],
  });
}
