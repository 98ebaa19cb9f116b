// SPDX-License-Identifier: Apache-2.0
// Maps of the plane: what each method says of every place, and where it doubts. One row of panels has the probability of
// a class, the next one the epistemic doubt, with the rows that were learned from on top.
import * as Plot from "@observablehq/plot";
import type { MapAxis, PlaneMap, Run } from "../data";
import { svg } from "../dom";
import type { Canvas, Drawn, Figure, Panel } from "../figure";
import { number } from "../format";
import type { Theme } from "../palette";
import { valueCell } from "../table";
import { axisNumber } from "./curves";
import { className, mapNote } from "./map_note";
import { chart } from "./plot";

const kBands = 10;
const kSides = 0.86; // height of a map, of its width
const kBarHeight = 46;
const kMargins = { top: 6, right: 8, bottom: 24, left: 30 };
const kShapes = ["circle", "square", "triangle", "diamond", "star"] as const;
const kTableStep = 3; // a table of every cell would be read by nobody

interface Quantity {
  key: "probability" | "doubt";
  title: (map: PlaneMap) => string;
  short: (map: PlaneMap) => string;
  most: number; // where the scale ends
  scale: (theme: Theme) => string[];
}

export function mapFigure(run: Run, id: string, title: string): Figure {
  const maps = run.maps;
  const most = doubtScale(maps);
  const quantities: Quantity[] = [
    { key: "probability", title: probabilityTitle, short: probabilityTitle, most: 1, scale: (theme) => theme.chance },
    { key: "doubt", title: () => "epistemic doubt: how far the particles disagree", short: () => "epistemic doubt", most, scale: (theme) => theme.doubt },
  ];
  const several = new Set(maps.map((map) => map.case)).size > 1;
  // All methods of a case next to each other, so that a row can be compared.
  const cases = [...new Set(maps.map((map) => map.case))];
  return {
    id,
    title: title || "What the methods say of the plane, and where they doubt",
    note: mapNote(run, maps, kShapes.length),
    controls: [],
    legend: [],
    panelWidth: 136, // two on a telephone
    together: Math.max(...cases.map((at) => maps.filter((map) => map.case === at).length)),
    panels: () =>
      cases.flatMap((at) =>
        quantities.flatMap((quantity) =>
          maps.filter((map) => map.case === at).map((map) => panelOf(map, quantity, several ? `${run.cases[at]!.name} · ` : "")),
        ),
      ),
  };
}

// The same for all methods; a whole number of tenths, so that the bar's numbers are round.
export function doubtScale(maps: PlaneMap[]): number {
  const most = maps.reduce((sofar, map) => Math.max(sofar, ...map.doubt), 0) / 1000;
  return Math.max(0.1, Math.min(1, Math.ceil(10 * most - 1e-9) / 10));
}

const probabilityTitle = (map: PlaneMap): string => (map.classes === 2 ? `probability of class ${className(map, 1)}` : "probability of the likeliest class");

function panelOf(map: PlaneMap, quantity: Quantity, where: string): Panel {
  const values = map[quantity.key];
  const mean = values.reduce((sum, value) => sum + value, 0) / (1000 * values.length);
  const title = `${where}${map.algorithm}`;
  const description = `Map of ${title}: ${quantity.title(map)}. From ${number(Math.min(...values) / 1000, 3)} to ${number(Math.max(...values) / 1000, 3)}, ${number(mean, 3)} in the mean over the plane, with ${map.points.length} training rows.`;
  return {
    title,
    description,
    draw: (canvas) => draw(canvas, map, quantity, description),
    table: () => ({
      caption: `${title}: ${quantity.title(map)}`,
      columns: [axisName(map, 0), axisName(map, 1), quantity.title(map)],
      rows: tableRows(map, quantity.key),
    }),
  };
}

const axisName = (map: PlaneMap, at: 0 | 1): string => map.feature_names[at] ?? ["x₁", "x₂"][at]!;

const middle = ([low, high, cells]: MapAxis, at: number): number => low + ((at + 0.5) * (high - low)) / cells;

function tableRows(map: PlaneMap, key: Quantity["key"]): (ReturnType<typeof valueCell> | string)[][] {
  const rows = [];
  for (let j = 1; j < map.y[2]; j += kTableStep) {
    for (let i = 1; i < map.x[2]; i += kTableStep) {
      const x = middle(map.x, i);
      rows.push([{ text: number(x, 3), value: x }, valueCell(middle(map.y, j), number(middle(map.y, j), 3)), valueCell(map[key][j * map.x[2] + i]! / 1000)]);
    }
  }
  return rows;
}

function draw(canvas: Canvas, map: PlaneMap, quantity: Quantity, description: string): Drawn {
  const width = Math.min(canvas.width, 460);
  const height = Math.round(kSides * width);
  const plane = planeOf({ ...canvas, width }, map, quantity, height);
  for (const name of ["role", "aria-label"]) plane.removeAttribute(name);
  return svg(
    "svg",
    { role: "img", "aria-label": description, width, height: height + kBarHeight, viewBox: `0 0 ${width} ${height + kBarHeight}`, class: "map", "font-size": 12 },
    plane,
    bar(canvas.theme, map, quantity, width, height),
  );
}

function planeOf(canvas: Canvas, map: PlaneMap, quantity: Quantity, height: number): Drawn {
  const { theme } = canvas;
  const step = quantity.most / kBands;
  const { values, raster } = padded(map, quantity);
  const narrow = canvas.width < 200;
  const shape = shapesOf(map);
  const boundary = quantity.key === "probability" && map.classes === 2;
  return chart(canvas, {
    description: "",
    height,
    marginTop: kMargins.top,
    marginRight: kMargins.right,
    marginBottom: kMargins.bottom,
    marginLeft: kMargins.left,
    x: { domain: [map.x[0], map.x[1]] },
    y: { domain: [map.y[0], map.y[1]] },
    // A contour stands for all values from its threshold up to the next.
    color: { type: "linear", domain: [0, quantity.most - step], interpolate: (share: number) => bandColour(quantity.scale(theme), share), clamp: true },
    marks: [
      Plot.contour(values, { ...raster, thresholds: Array.from({ length: kBands }, (_, at) => at * step), fill: identity, stroke: "none", className: "series" } as Plot.ContourOptions),
      boundary ? Plot.contour(values, { ...raster, thresholds: [0.5], fill: "none", stroke: theme.ink, strokeWidth: 1.4, value: identity, className: "boundary" } as Plot.ContourOptions) : null,
      Plot.frame({ stroke: theme.line }),
      Plot.dot(map.points, { x: "0", y: "1", r: Math.max(1.1, Math.min(2.4, canvas.width / 130)), symbol: (point: number[]) => shape(point[3]!), fill: (point: number[]) => fillOf(map, point[2]!), stroke: (point: number[]) => outlineOf(map, point[2]!), strokeWidth: narrow ? 0.5 : 0.7, clip: true, className: "points" }),
      Plot.axisX({ ticks: narrow ? 3 : 4, tickFormat: axisNumber, label: null, tickSize: 3, color: theme.soft }),
      Plot.axisY({ ticks: narrow ? 3 : 4, tickFormat: axisNumber, label: null, tickSize: 3, color: theme.soft }),
    ],
    symbol: { legend: false },
  });
}

// With one more cell on every side, as the outermost ones are: a contour's way along the edge then lies outside.
function padded(map: PlaneMap, quantity: Quantity): { values: number[]; raster: object } {
  const [columns, rows] = [map.x[2], map.y[2]];
  const inside = (at: number, cells: number): number => Math.min(cells - 1, Math.max(0, at));
  const values = Array.from({ length: (columns + 2) * (rows + 2) }, (_, at) => {
    const i = inside((at % (columns + 2)) - 1, columns);
    const j = inside(Math.floor(at / (columns + 2)) - 1, rows);
    return Math.min(quantity.most, map[quantity.key][j * columns + i]! / 1000);
  });
  const [dx, dy] = [map.x, map.y].map(([low, high, cells]) => (high - low) / cells);
  const raster = { width: columns + 2, height: rows + 2, x1: map.x[0] - dx!, x2: map.x[1] + dx!, y1: map.y[0] - dy!, y2: map.y[1] + dy!, clip: true };
  return { values, raster };
}

const identity = (value: number): number => value;

// One for each agent, where there are enough.
function shapesOf(map: PlaneMap): (agent: number) => string {
  const agents = new Set(map.points.map((point) => point[3])).size;
  return (agent) => (agents <= kShapes.length ? kShapes[agent % kShapes.length]! : "circle");
}

// White to black by class, on any ground in either theme: the outline is what the fill is not.
function fillOf(map: PlaneMap, label: number): string {
  const light = Math.round(255 * (1 - label / Math.max(1, map.classes - 1)));
  return `rgb(${light},${light},${light})`;
}

function outlineOf(map: PlaneMap, label: number): string {
  return label / Math.max(1, map.classes - 1) > 0.5 ? "#ffffff" : "#000000";
}

// share: from 0 to 1 along the stops.
export function bandColour(stops: string[], share: number): string {
  const place = Math.max(0, Math.min(1, share)) * (stops.length - 1);
  const at = Math.min(stops.length - 2, Math.floor(place));
  const mixed = [1, 3, 5].map((from) => {
    const [a, b] = [stops[at]!, stops[at + 1]!].map((stop) => parseInt(stop.slice(from, from + 2), 16));
    return Math.round(a! + (place - at) * (b! - a!));
  });
  return `rgb(${mixed.join(",")})`;
}

// The scale under its map, with what it measures.
function bar(theme: Theme, map: PlaneMap, quantity: Quantity, width: number, top: number): SVGGElement {
  const left = kMargins.left;
  const length = width - left - kMargins.right;
  const blocks = Array.from({ length: kBands }, (_, at) =>
    svg("rect", { x: left + (at * length) / kBands, y: top + 4, width: length / kBands + 0.5, height: 9, fill: bandColour(quantity.scale(theme), at / (kBands - 1)) }),
  );
  const text = (share: number, anchor: string): SVGTextElement =>
    svg("text", { x: left + share * length, y: top + 26, "text-anchor": anchor, fill: theme.soft, "font-size": 11 }, number(share * quantity.most, 2));
  const label = svg("text", { x: left + length / 2, y: top + 41, "text-anchor": "middle", fill: theme.ink, "font-size": width < 230 ? 10.5 : 12 }, width < 360 ? quantity.short(map) : quantity.title(map));
  const outline = svg("rect", { x: left, y: top + 4, width: length, height: 9, fill: "none", stroke: theme.line });
  return svg("g", { class: "scale" }, ...blocks, outline, text(0, "start"), text(0.5, "middle"), text(1, "end"), label);
}
