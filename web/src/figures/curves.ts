// SPDX-License-Identifier: Apache-2.0
// Lines with standard-error bands: the chart behind rounds, bytes and sweeps.
import * as Plot from "@observablehq/plot";
import type { Canvas, Drawn, HoverPlace, Panel, Reading, Table } from "../figure";
import { number, plusMinus } from "../format";
import type { MethodLook } from "../methods";
import { averageCell } from "../table";
import { addEndLabels, endRoom } from "./end_labels";
import { axes, chart, kMargins, ticksFor } from "./plot";

export interface Point {
  x: number;
  y: number;
  error: number | null;
}

export interface Curve {
  label: string;
  look: MethodLook;
  points: Point[];
  level: boolean; // one value that no axis position belongs to: a line across
  faint?: boolean; // one of many
}

export interface CurveChart {
  title: string;
  curves: Curve[];
  xLabel: string;
  yLabel: string;
  xLog: boolean;
  yLog: boolean;
  xText: (x: number) => string; // on the axis
  placeText: (x: number) => string; // above a reading: "Round 3"
  whole?: boolean; // x takes whole numbers only
  bands: boolean;
  diagonal?: boolean; // a line where y is x
}

export function curvePanel(data: CurveChart): Panel {
  const panel: Panel = {
    title: data.title,
    description: describe(data),
    draw: (canvas) => draw(canvas, data),
    table: () => table(data),
    places: () => places(data),
  };
  const refused = unfit(data);
  if (refused) panel.note = refused;
  return panel;
}

// A logarithm that the values do not allow is not drawn, and the panel says so.
function unfit(data: CurveChart): string {
  const low = data.curves.some((curve) => curve.points.some((point) => point.y <= 0));
  if (data.yLog && low) return "Values of zero or less: drawn on a linear scale.";
  return "";
}

function draw(canvas: Canvas, data: CurveChart): Drawn {
  const height = Math.round(Math.max(220, Math.min(400, canvas.width * 0.62)));
  const yLog = data.yLog && !unfit(data);
  const visible = data.curves.map((curve) => ({ ...curve, points: curve.points.filter((p) => !data.xLog || curve.level || p.x > 0) }));
  const all = visible.flatMap((curve) => curve.points);
  if (all.length === 0) return empty(canvas, height, data);
  const named = visible.filter((curve) => curve.points.length > 0 && !curve.faint);
  const room = named.length === visible.length ? endRoom(named.map((curve) => curve.label), canvas.width) : 0;
  const drawn = chart(canvas, {
    description: describe(data),
    height,
    marginRight: Math.max(kMargins.right, room),
    x: { type: data.xLog ? "log" : "linear", nice: !data.whole && !data.xLog, ...(data.diagonal ? { domain: [0, 1] } : xDomain(visible)) },
    y: { type: yLog ? "log" : "linear", nice: true, domain: data.diagonal ? [0, 1] : yDomain(visible, data.bands, yLog) },
    marks: [
      ...axes(
        canvas,
        { label: data.xLabel, ticks: xTicks(visible, data, canvas.width - room), tickFormat: data.xText },
        { label: data.yLabel, ticks: ticksFor(height, 55), tickFormat: axisNumber },
      ),
      // The first method lies on top: where curves coincide, it is the one that is asked about.
      ...visible.flatMap((curve, at) => [{ curve, at }]).reverse().flatMap(({ curve, at }) => marks(canvas, curve, data.bands, at / visible.length)),
      ...(data.diagonal ? [Plot.line([[0, 0], [1, 1]], { stroke: canvas.theme.ink, strokeDasharray: "4 3", strokeWidth: 1.2 })] : []),
    ],
  });
  const right = Math.max(...visible.filter((curve) => !curve.level).flatMap((curve) => curve.points.map((point) => point.x)));
  const labels = named.map((curve) => {
    const end = curve.points.at(-1)!;
    return { text: curve.label, look: curve.look, x: curve.level && Number.isFinite(right) ? right : end.x, y: end.y };
  });
  addEndLabels(drawn, labels, canvas, { room, top: kMargins.top, bottom: height - kMargins.bottom });
  return drawn;
}

// Powers of ten belong to log axes alone; elsewhere plain numbers.
export function axisNumber(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e5 || size < 1e-3 ? value.toExponential(0).replace("e+", "e") : String(Number(value.toPrecision(6)));
  return text.replaceAll("-", "−");
}

function xTicks(curves: Curve[], data: CurveChart, width: number): number | number[] {
  if (data.diagonal) return [0, 0.25, 0.5, 0.75, 1];
  const wanted = ticksFor(width, data.xText(1.25e5).length > 5 ? 90 : 60);
  const places = [...new Set(curves.filter((c) => !c.level).flatMap((c) => c.points.map((p) => p.x)))].sort((a, b) => a - b);
  if (data.whole && places.length > 0 && places.length <= wanted) return places;
  return wanted;
}

function xDomain(curves: Curve[]): { domain?: [number, number] } {
  const places = curves.filter((curve) => !curve.level).flatMap((curve) => curve.points.map((point) => point.x));
  if (places.length === 0) return {};
  const low = Math.min(...places);
  const high = Math.max(...places);
  return { domain: low === high ? [low - 0.5, high + 0.5] : [low, high] };
}

function yDomain(curves: Curve[], bands: boolean, log: boolean): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const { points } of curves) {
    for (const { y, error } of points) {
      const reach = bands ? (error ?? 0) : 0;
      low = Math.min(low, log && y - reach <= 0 ? y : y - reach);
      high = Math.max(high, y + reach);
    }
  }
  if (low === high) return log ? [low / 2, high * 2] : [low - 0.5, high + 0.5];
  return [low, high];
}

// `turn`, from 0 to below 1: where curves lie together, their markers do not.
function marks(canvas: Canvas, curve: Curve, bands: boolean, turn: number): Plot.Markish[] {
  const colour = canvas.theme.hues[curve.look.hue];
  const stroke = { stroke: colour, strokeWidth: curve.faint ? 1 : 2, strokeDasharray: curve.look.dash || "none" };
  const first = curve.points[0];
  if (!first) return [];
  if (curve.level) return [Plot.ruleY([first.y], { ...stroke, strokeOpacity: 0.9, className: "series" })];
  const drawn: Plot.Markish[] = [];
  if (bands && curve.points.some((point) => point.error)) {
    drawn.push(
      Plot.areaY(curve.points, {
        x: "x",
        y1: (p: Point) => p.y - (p.error ?? 0),
        y2: (p: Point) => p.y + (p.error ?? 0),
        fill: colour,
        fillOpacity: 0.14,
        clip: true,
      }),
    );
  }
  drawn.push(Plot.line(curve.points, { x: "x", y: "y", ...stroke, strokeOpacity: curve.faint ? 0.45 : 1, className: "series", strokeLinejoin: "round" }));
  if (!curve.faint) {
    drawn.push(Plot.dot(sparse(curve.points, turn), { x: "x", y: "y", symbol: curve.look.marker, fill: colour, r: 3.6, stroke: canvas.theme.paper, strokeWidth: 0.8 }));
  }
  return drawn;
}

// Enough markers to tell lines apart, not so many that they hide them.
function sparse(points: Point[], turn: number): Point[] {
  if (points.length <= 12) return points;
  const step = Math.ceil(points.length / 6);
  return points.filter((_, at) => (points.length - 1 - at) % step === Math.floor(turn * step));
}

export function empty(canvas: Canvas, height: number, data: { title: string }): Drawn {
  return chart(canvas, {
    description: `${data.title}: no values to show.`,
    height: Math.min(height, 120),
    axis: null,
    marks: [Plot.text(["No values to show"], { frameAnchor: "middle", fill: canvas.theme.soft, fontSize: 13 })],
  });
}

function describe(data: CurveChart): string {
  const ends = data.curves.map((curve) => {
    const last = curve.points.at(-1);
    return last ? `${curve.label} ends at ${plusMinus(last.y, last.error)}` : `${curve.label} has no values`;
  });
  // A screen reader is not served by a list of fifty; the table has them.
  const told = ends.length > 12 ? [...ends.slice(0, 12), `and ${ends.length - 12} more`] : ends;
  return `${data.title ? `${data.title}. ` : ""}${data.yLabel} against ${data.xLabel.toLowerCase()}: ${told.join(", ")}.`;
}

// The curves' points at each place. A level is drawn across all of them, but was measured in one.
function byPlace(data: CurveChart, levels: "across" | "measured"): { x: number; at: (Point | undefined)[] }[] {
  const across = (curve: Curve): boolean => curve.level && levels === "across";
  const places = [...new Set(data.curves.flatMap((c) => (across(c) ? [] : c.points.map((p) => p.x))))].sort((a, b) => a - b);
  const lookup = data.curves.map((curve) => new Map(curve.points.map((point) => [point.x, point])));
  return places.map((x) => ({
    x,
    at: data.curves.map((curve, index) => (across(curve) ? curve.points[0] : lookup[index]!.get(x))),
  }));
}

const kMostReadings = 14; // that fit beside a chart

function places(data: CurveChart): HoverPlace[] {
  const higherFirst = (a: Reading, b: Reading): number => b.y - a.y;
  const rows = byPlace(data, "across").filter((row) => !data.xLog || row.x > 0);
  return rows.map(({ x, at }) => {
    const readings: Reading[] = [];
    at.forEach((point, index) => {
      const curve = data.curves[index]!;
      if (point) readings.push({ label: curve.label, text: plusMinus(point.y, point.error), look: curve.look, y: point.y });
    });
    readings.sort(higherFirst);
    const rest = readings.length - kMostReadings;
    const title = rest > 0 ? `${data.placeText(x)}: the highest ${kMostReadings} of ${readings.length}` : data.placeText(x);
    return { x, title, readings: readings.slice(0, kMostReadings) };
  });
}

function table(data: CurveChart): Table {
  return {
    caption: [data.title, data.yLabel].filter(Boolean).join(" · "),
    columns: [data.xLabel, ...data.curves.map((curve) => curve.label)],
    rows: byPlace(data, "measured").map(({ x, at }) => [
      { text: data.placeText(x).replace(/^Round /, ""), value: x },
      ...at.map((point) => (point ? averageCell(point.y, point.error) : { text: number(null), value: null })),
    ]),
  };
}
