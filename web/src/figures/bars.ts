// SPDX-License-Identifier: Apache-2.0
// The final metric for each of several datasets: groups of bars, or dots where differences are small against zero.
import * as Plot from "@observablehq/plot";
import { records, type Run } from "../data";
import { choice, segments } from "../dom";
import type { Canvas, Drawn, Figure, Panel } from "../figure";
import { plusMinus } from "../format";
import type { MethodLook } from "../methods";
import { metricNamed, metricsOf, withDirection } from "../metrics";
import { averageCell } from "../table";
import { CaseFilter, legendOf, seriesOf } from "./cases";
import { axisNumber, empty } from "./curves";
import { axes, chart, tipStyle } from "./plot";

export interface BarsOptions {
  id: string;
  title: string;
  metric: string;
  x: string;
}

interface Bar {
  group: string;
  label: string;
  mean: number;
  error: number;
  text: string;
}

type Form = "bars" | "dots";

export function barsFigure(run: Run, looks: Map<string, MethodLook>, options: BarsOptions): Figure {
  const state = { metric: options.metric, form: "bars" as Form };
  const filter = new CaseFilter(run, () => figure.changed?.(), options.x);
  const figure: Figure = {
    id: options.id,
    title: options.title,
    note: `${withDirection(metricNamed(options.metric))}, after the last round${run.trials > 1 ? "; whiskers show one standard error" : ""}.`,
    legend: legendOf(run, looks, (series) => records(series, options.metric)),
    panelWidth: 300,
    controls: [
      ...filter.controls,
      choice("Metric", metricsOf([run]).map((m) => ({ value: m.name, text: m.label })), state.metric, (metric) => {
        state.metric = metric;
        figure.changed?.();
      }),
      segments<Form>("Form", [{ value: "bars", text: "bars" }, { value: "dots", text: "dots" }], "bars", (form) => {
        state.form = form;
        figure.changed?.();
      }),
    ],
    panels: (hidden) => [panelOf(run, looks, collect(run, filter, options.x, state.metric, hidden), metricNamed(state.metric).label, state.form)],
  };
  return figure;
}

function collect(run: Run, filter: CaseFilter, x: string, metric: string, hidden: ReadonlySet<string>): Bar[] {
  return run.cases.flatMap((one, index) => {
    if (!filter.takes(one)) return [];
    const rest = one.coordinates.filter(([name, value]) => name !== x && varies(run, name, value)).map(([name, value]) => `${name} ${value}`);
    const group = [one.coordinates.find(([name]) => name === x)?.[1] ?? one.name, ...rest].join(", ");
    return seriesOf(run, index).flatMap((series) => {
      const figure = records(series, metric) ? series.figures[metric] : undefined;
      const mean = figure?.mean.at(-1);
      if (hidden.has(series.algorithm) || mean === null || mean === undefined) return [];
      const error = figure?.error.at(-1) ?? 0;
      return [{ group, label: series.algorithm, mean, error, text: `${series.algorithm}, ${group}\n${plusMinus(mean, error)}` }];
    });
  });
}

const varies = (run: Run, name: string, value: string): boolean =>
  run.cases.some((one) => one.coordinates.some(([other, its]) => other === name && its !== value));

function panelOf(run: Run, looks: Map<string, MethodLook>, bars: Bar[], label: string, form: Form): Panel {
  const labels = [...new Set(bars.map((bar) => bar.label))];
  const groups = [...new Set(bars.map((bar) => bar.group))];
  const description = `${label} of ${labels.join(", ")} for ${groups.length} cases: ${groups.join(", ")}.`;
  return {
    title: "",
    description,
    draw: (canvas) => (bars.length === 0 ? empty(canvas, 200, run) : drawBars(canvas, { looks, bars, labels, label, form, description })),
    table: () => ({
      caption: label,
      columns: ["Case", ...labels],
      rows: groups.map((group) => [
        group,
        ...labels.map((name) => {
          const bar = bars.find((one) => one.group === group && one.label === name);
          return averageCell(bar?.mean, bar?.error);
        }),
      ]),
    }),
  };
}

interface BarChart {
  looks: Map<string, MethodLook>;
  bars: Bar[];
  labels: string[];
  label: string;
  form: Form;
  description: string;
}

// Groups side by side where there is room, below each other on a phone.
function drawBars(canvas: Canvas, data: BarChart): Drawn {
  const names = [...new Set(data.bars.map((bar) => bar.group))];
  const groups = names.length;
  const upright = canvas.width / groups >= 64;
  const colour = (bar: Bar): string => canvas.theme.hues[data.looks.get(bar.label)!.hue];
  const ends = data.bars.flatMap((bar) => [bar.mean - bar.error, bar.mean + bar.error, ...(data.form === "bars" ? [0] : [])]);
  const value = { domain: [Math.min(...ends), Math.max(...ends)], nice: true, zero: data.form === "bars" };
  const band = { domain: data.labels, axis: null, padding: data.form === "bars" ? 0.12 : 0 };
  const facet = { domain: names, padding: 0.18, label: null };
  const tip = { ...tipStyle(canvas), title: "text" };
  const whisker = { stroke: canvas.theme.ink, strokeWidth: 1.2, strokeOpacity: 0.75 };
  if (upright) {
    const place = { fx: "group", x: "label" };
    const label = { lineWidth: Math.floor(canvas.width / groups / 7.5), textOverflow: "ellipsis" as const };
    return chart(canvas, {
      description: data.description,
      height: 340,
      marginBottom: 30,
      x: band,
      y: value,
      fx: facet,
      marks: [
        Plot.axisFx({ anchor: "bottom", tickSize: 0, label: null, color: canvas.theme.soft, ...label }),
        ...axes(canvas, { ticks: [], label: null }, { label: data.label, ticks: 6, tickFormat: axisNumber }),
        ...(data.form === "bars" ? [Plot.barY(data.bars, { ...place, y: "mean", fill: colour, fillOpacity: 0.82, className: "series" })] : []),
        Plot.ruleX(data.bars, { ...place, y1: (b: Bar) => b.mean - b.error, y2: (b: Bar) => b.mean + b.error, ...whisker }),
        ...markers(canvas, data, place, { y: "mean" }),
        ...(data.form === "bars" ? [Plot.ruleY([0], { stroke: canvas.theme.soft })] : []),
        Plot.tip(data.bars, Plot.pointerX({ ...place, y: "mean", ...tip })),
      ],
    });
  }
  const place = { fy: "group", y: "label" };
  return chart(canvas, {
    description: data.description,
    height: 60 + groups * (22 + 13 * data.labels.length),
    marginLeft: 8,
    marginTop: 16,
    x: value,
    y: band,
    fy: { ...facet, padding: 0.3, axis: null },
    marks: [
      Plot.gridX({ stroke: canvas.theme.line, strokeOpacity: 1, ticks: 4 }),
      Plot.axisX({ label: data.label, ticks: 4, tickFormat: axisNumber, labelAnchor: "center", labelArrow: "none", color: canvas.theme.soft }),
      Plot.text(data.bars, Plot.selectFirst({ fy: "group", text: "group", frameAnchor: "top-left", dy: -13, fill: canvas.theme.ink, fontWeight: 600, z: null })),
      ...(data.form === "bars" ? [Plot.barX(data.bars, { ...place, x: "mean", fill: colour, fillOpacity: 0.82, className: "series" })] : []),
      Plot.ruleY(data.bars, { ...place, x1: (b: Bar) => b.mean - b.error, x2: (b: Bar) => b.mean + b.error, ...whisker }),
      ...markers(canvas, data, place, { x: "mean" }),
      Plot.tip(data.bars, Plot.pointerY({ ...place, x: "mean", ...tip })),
    ],
  });
}

// Bars have no dash: where two methods share a hue, the marker at the bar's end tells them apart.
function markers(canvas: Canvas, data: BarChart, place: object, value: object): Plot.Markish[] {
  const hues = new Set(data.labels.map((label) => data.looks.get(label)!.hue));
  if (data.form === "bars" && hues.size === data.labels.length) return [];
  return data.labels.map((label) => {
    const look = data.looks.get(label)!;
    const own = data.bars.filter((bar) => bar.label === label);
    return Plot.dot(own, { ...place, ...value, symbol: look.marker, r: 4, fill: canvas.theme.hues[look.hue], stroke: canvas.theme.paper, strokeWidth: 1, className: data.form === "dots" ? "series" : "marker" });
  });
}
