// SPDX-License-Identifier: Apache-2.0
// Rows of dots with intervals: one row per thing that is measured, in it one dot per method.
import * as Plot from "@observablehq/plot";
import type { Canvas, Drawn, Panel } from "../figure";
import { number } from "../format";
import type { MethodLook } from "../methods";
import { valueCell } from "../table";
import { axisNumber, empty } from "./curves";
import { chart, ticksFor, tipStyle } from "./plot";

export interface Dot {
  row: string;
  label: string;
  look: MethodLook;
  value: number;
  low: number | null; // null: no interval
  high: number | null;
  more?: (number | null)[]; // what only the table shows, see DotChart
}

export interface DotChart {
  title: string;
  note?: string;
  dots: Dot[];
  xLabel: string;
  rowLabel: string;
  zero: boolean; // whether 0 means something
  more?: string[]; // names of the columns that only the table has
}

const distinct = (dots: Dot[], of: (dot: Dot) => string): string[] => [...new Set(dots.map(of))];

export function dotPanel(data: DotChart): Panel {
  const rows = distinct(data.dots, (dot) => dot.row);
  const labels = distinct(data.dots, (dot) => dot.label);
  const description = `${data.title ? `${data.title}. ` : ""}${data.xLabel} of ${labels.join(", ")} for ${rows.length} rows: ${rows.slice(0, 12).join(", ")}.`;
  return {
    title: data.title,
    ...(data.note ? { note: data.note } : {}),
    description,
    draw: (canvas) => (data.dots.length === 0 ? empty(canvas, 120, data) : draw(canvas, data, rows, labels, description)),
    table: () => ({
      caption: [data.title, data.xLabel].filter(Boolean).join(" · "),
      columns: [
        data.rowLabel,
        ...labels.flatMap((label) => (data.dots.some((dot) => dot.low !== null) ? [label, "from", "to"] : [label])),
        ...labels.flatMap((label) => (data.more ?? []).map((name) => `${label}: ${name}`)),
      ],
      rows: rows.map((row) => [
        row,
        ...labels.flatMap((label) => {
          const dot = data.dots.find((one) => one.row === row && one.label === label);
          const interval = data.dots.some((one) => one.low !== null) ? [valueCell(dot?.low), valueCell(dot?.high)] : [];
          return [valueCell(dot?.value), ...interval];
        }),
        ...labels.flatMap((label) => {
          const dot = data.dots.find((one) => one.row === row && one.label === label);
          return (data.more ?? []).map((_, at) => valueCell(dot?.more?.[at]));
        }),
      ]),
    }),
  };
}

const kMostLetters = 26;
const brief = (name: string, letters: number): string => (name.length > letters ? `${name.slice(0, letters - 1)}…` : name);

function draw(canvas: Canvas, data: DotChart, rows: string[], labels: string[], description: string): Drawn {
  const { theme } = canvas;
  const letters = Math.min(kMostLetters, Math.floor((0.4 * canvas.width) / 6.6));
  const longest = Math.max(...rows.map((row) => brief(row, letters).length));
  const each = Math.max(22, 9 * labels.length + 6);
  const step = labels.length > 1 ? 0.72 / (labels.length - 1) : 0;
  const placed = data.dots.map((dot) => ({
    ...dot,
    y: rows.indexOf(dot.row) + (labels.length > 1 ? labels.indexOf(dot.label) * step - 0.36 : 0),
    text: `${dot.row}\n${dot.label}: ${number(dot.value)}${dot.low === null ? "" : `\n${number(dot.low)} to ${number(dot.high)}`}`,
  }));
  const spans = placed.filter((dot) => dot.low !== null && dot.high !== null);
  const colour = (dot: Dot): string => theme.hues[dot.look.hue];
  const ends = placed.flatMap((dot) => [dot.low ?? dot.value, dot.high ?? dot.value, ...(data.zero ? [0] : [])]);
  return chart(canvas, {
    description,
    height: 56 + rows.length * each,
    marginLeft: 16 + 6.6 * longest,
    marginTop: 8,
    x: { domain: [Math.min(...ends), Math.max(...ends)], nice: true },
    y: { domain: [rows.length - 0.5, -0.5] },
    marks: [
      Plot.gridX({ stroke: theme.line, strokeOpacity: 1, ticks: ticksFor(canvas.width * 0.6, 70) }),
      Plot.axisX({ label: data.xLabel, ticks: ticksFor(canvas.width * 0.6, 70), tickFormat: axisNumber, labelAnchor: "center", labelArrow: "none", labelOffset: 36, color: theme.soft }),
      Plot.axisY(rows.map((_, at) => at), { label: null, tickSize: 0, tickFormat: (at: number) => brief(rows[at] ?? "", letters), color: theme.ink }),
      Plot.ruleY(rows.slice(1).map((_, at) => at + 0.5), { stroke: theme.line }),
      ...(data.zero ? [Plot.ruleX([0], { stroke: theme.soft })] : []),
      Plot.ruleY(spans, { y: "y", x1: "low", x2: "high", stroke: colour, strokeWidth: 2, strokeOpacity: 0.75 }),
      ...labels.map((label) => {
        const own = placed.filter((dot) => dot.label === label);
        return Plot.dot(own, { x: "value", y: "y", symbol: own[0]!.look.marker, fill: colour, r: 4, stroke: theme.paper, strokeWidth: 0.8, className: "series" });
      }),
      Plot.tip(placed, Plot.pointer({ x: "value", y: "y", title: "text", maxRadius: 30, ...tipStyle(canvas) })),
    ],
  });
}
