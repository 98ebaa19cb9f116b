// SPDX-License-Identifier: Apache-2.0
// The two-dimensional posterior: contours of the particles' density over those of the exact one.
import * as Plot from "@observablehq/plot";
import type { Posterior2d, Run } from "../data";
import { toggle } from "../dom";
import type { Canvas, Drawn, Figure, Panel } from "../figure";
import { number } from "../format";
import type { MethodLook } from "../methods";
import { valueCell } from "../table";
import { axisNumber } from "./curves";
import { chart } from "./plot";
import { frameAt, RoundSlider, roundsOf } from "./slider";

const kLevels = [0.08, 0.25, 0.45, 0.65, 0.85]; // shares of the exact posterior's peak: the same lines for both

export function posterior2dFigure(run: Run, looks: Map<string, MethodLook>, id: string, title: string): Figure {
  const rounds = roundsOf(run.posterior2d);
  const slider = new RoundSlider(rounds, () => figure.changed?.());
  const state = { particles: true };
  const labels = [...new Set(run.posterior2d.map((one) => one.algorithm))];
  const figure: Figure = {
    id,
    title: title || "Approximate over exact posterior",
    note: "Filled: the exact posterior. Lines: the approximation, at the same densities. Dots: particles.",
    legend: labels.map((label) => ({ label, look: { ...looks.get(label)!, dash: "" } })),
    panelWidth: 250,
    controls: [
      ...(rounds.length > 1 ? [slider.element] : []),
      toggle("particles", true, (on) => {
        state.particles = on;
        figure.changed?.();
      }),
    ],
    panels: (hidden) =>
      run.posterior2d.filter((one) => !hidden.has(one.algorithm)).map((one) => panelOf(run, one, looks.get(one.algorithm)!, slider.round, state.particles)),
  };
  return figure;
}

function panelOf(run: Run, data: Posterior2d, look: MethodLook, round: number, particles: boolean): Panel {
  const frame = frameAt(data.frames, round);
  const where = run.cases.length > 1 ? `${run.cases[data.case]!.name} · ` : "";
  const title = `${where}${data.algorithm}`;
  const note = `Round ${frame?.round ?? 0} · KL divergence ${number(frame?.kl, 3)}`;
  const description = `Contours of ${title} over those of the exact posterior. ${note}.`;
  return {
    title,
    note,
    description,
    draw: (canvas) => draw(canvas, data, frame?.density ?? [], particles ? (frame?.particles ?? []) : [], look, description),
    table: () => ({
      caption: `${title}: ${note}`,
      columns: ["θ₁", "θ₂"],
      rows: (frame?.particles ?? []).map(([x, y]) => [{ text: number(x), value: x }, valueCell(y)]),
    }),
  };
}

function draw(canvas: Canvas, data: Posterior2d, density: number[], particles: [number, number][], look: MethodLook, description: string): Drawn {
  const { theme } = canvas;
  const side = Math.min(canvas.width, 460);
  const peak = Math.max(...data.exact);
  const thresholds = kLevels.map((level) => level * peak);
  const extent = { x1: data.x[0]!, x2: data.x.at(-1)!, y1: data.y[0]!, y2: data.y.at(-1)! };
  const raster = { width: data.x.length, height: data.y.length, ...extent, thresholds, clip: true };
  const axis = { ticks: 5, tickFormat: axisNumber, labelArrow: "none" as const, color: theme.soft };
  return chart({ ...canvas, width: side }, {
    description,
    height: side,
    marginLeft: 40,
    marginRight: 12,
    x: { domain: [extent.x1, extent.x2] },
    y: { domain: [extent.y1, extent.y2] },
    marks: [
      Plot.axisX({ ...axis, label: "θ₁", labelAnchor: "center", labelOffset: 36, tickSize: 4 }),
      Plot.axisY({ ...axis, label: "θ₂", tickSize: 4 }),
      Plot.frame({ stroke: theme.line }),
      // Nested fills of one translucent colour: darker towards the peak, in either theme.
      Plot.contour(data.exact, { ...raster, fill: theme.exact, fillOpacity: 0.45, stroke: "none", value: identity, className: "exact" } as Plot.ContourOptions),
      Plot.contour(density, { ...raster, stroke: theme.hues[look.hue], strokeWidth: 1.6, fill: "none", value: identity, className: "series" } as Plot.ContourOptions),
      Plot.dot(particles, { x: "0", y: "1", r: 1.6, fill: theme.hues[look.hue], fillOpacity: 0.55, clip: true }),
    ],
  });
}

const identity = (value: number): number => value;
