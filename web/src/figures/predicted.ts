// SPDX-License-Identifier: Apache-2.0
// Regressions: what was predicted for some test rows, against what was observed.
import * as Plot from "@observablehq/plot";
import type { Predicted, Run } from "../data";
import type { Canvas, Drawn, Figure, Panel } from "../figure";
import { number } from "../format";
import type { MethodLook } from "../methods";
import { percent } from "../metrics";
import { valueCell } from "../table";
import { CaseFilter } from "./cases";
import { axisNumber, empty } from "./curves";
import { axes, chart, ticksFor, tipStyle } from "./plot";

interface Point {
  predicted: number;
  low: number | null;
  high: number | null;
  observed: number;
  inside: boolean; // or nobody knows
}

export function predictedFigure(run: Run, looks: Map<string, MethodLook>, id: string, title: string): Figure {
  const filter = new CaseFilter(run, () => figure.changed?.());
  const labels = [...new Set(run.predicted.map((one) => one.algorithm))];
  const level = run.predicted[0]?.level ?? 0.9;
  const figure: Figure = {
    id,
    title: title || "Predicted against observed",
    note: `Test rows of the first trial, ${run.predicted.some((one) => one.points.length < 2) ? "" : `up to ${Math.max(...run.predicted.map((one) => one.points.length))} of them, `}after the last round. On the diagonal a prediction is right. Lines are central ${percent(level)} intervals; open marks lie outside theirs, as one in ${Math.round(1 / (1 - level))} should.`,
    legend: labels.map((label) => ({ label, look: looks.get(label)! })),
    panelWidth: 240,
    together: Math.min(4, labels.length),
    controls: filter.controls,
    panels: (hidden) =>
      run.predicted
        .filter((one) => !hidden.has(one.algorithm) && filter.takes(run.cases[one.case]!))
        .map((one) => panelOf(run, one, looks.get(one.algorithm)!)),
  };
  return figure;
}

function panelOf(run: Run, data: Predicted, look: MethodLook): Panel {
  const points = data.points.flatMap(([predicted, low, high, observed]): Point[] => {
    if (predicted === null || observed === null) return [];
    const inside = low === null || high === null || (low <= observed && observed <= high);
    return [{ predicted, low, high, observed, inside }];
  });
  const title = `${run.cases.length > 1 ? `${run.cases[data.case]!.name} · ` : ""}${data.algorithm}`;
  const outside = points.filter((point) => !point.inside).length;
  const known = points.some((point) => point.low !== null);
  const note = known ? `${outside} of ${points.length} outside their interval` : `${points.length} rows`;
  const description = `${title}: predicted against observed targets, ${note}.`;
  return {
    title,
    note,
    description,
    draw: (canvas) => (points.length === 0 ? empty(canvas, 160, { title }) : draw(canvas, points, look, description)),
    table: () => ({
      caption: title,
      columns: ["Row", "Predicted", "From", "To", "Observed"],
      rows: points.map((point, at) => [String(at + 1), valueCell(point.predicted), valueCell(point.low), valueCell(point.high), valueCell(point.observed)]),
    }),
  };
}

function draw(canvas: Canvas, points: Point[], look: MethodLook, description: string): Drawn {
  const { theme } = canvas;
  const colour = theme.hues[look.hue];
  const ends = points.flatMap((point) => [point.predicted, point.observed]);
  const domain: [number, number] = [Math.min(...ends), Math.max(...ends)];
  if (domain[0] === domain[1]) domain[1] += 1;
  const side = Math.min(canvas.width, 420);
  const ticks = ticksFor(side, 70);
  const spans = points.filter((point) => point.low !== null && point.high !== null);
  const told = (point: Point): string => `predicted ${number(point.predicted)}${point.low === null ? "" : ` (${number(point.low)} to ${number(point.high)})`}\nobserved ${number(point.observed)}`;
  return chart({ ...canvas, width: side }, {
    description,
    height: side,
    x: { domain, nice: true },
    y: { domain, nice: true },
    marks: [
      ...axes(canvas, { label: "Predicted", ticks, tickFormat: axisNumber }, { label: "Observed", ticks, tickFormat: axisNumber }),
      Plot.ruleY(spans, { y: "observed", x1: "low", x2: "high", stroke: colour, strokeOpacity: 0.16, strokeWidth: 1.2, clip: true }),
      Plot.line([[domain[0], domain[0]], [domain[1], domain[1]]], { stroke: theme.ink, strokeDasharray: "4 3", strokeWidth: 1.2 }),
      Plot.dot(points.filter((point) => point.inside), { x: "predicted", y: "observed", symbol: look.marker, r: 2.8, fill: colour, fillOpacity: 0.75, className: "series" }),
      Plot.dot(points.filter((point) => !point.inside), { x: "predicted", y: "observed", symbol: look.marker, r: 3.2, stroke: colour, fill: theme.paper, strokeWidth: 1.4, className: "outside" }),
      Plot.tip(points, Plot.pointer({ x: "predicted", y: "observed", title: told, maxRadius: 20, ...tipStyle(canvas) })),
    ],
  });
}
