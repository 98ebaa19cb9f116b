// SPDX-License-Identifier: Apache-2.0
// Several runs in one page: the same metric of the same case, run beside run.
import * as Plot from "@observablehq/plot";
import { records, type Run } from "../data";
import { choice } from "../dom";
import type { Canvas, Drawn, Figure, Panel } from "../figure";
import { plusMinus } from "../format";
import type { MethodLook } from "../methods";
import { metricNamed, metricsOf } from "../metrics";
import { averageCell } from "../table";
import { axisNumber, curvePanel, empty } from "./curves";
import { curveOf, kAxisLabels, type Axis } from "./lines";
import { chart, ticksFor, tipStyle } from "./plot";
import * as format from "../format";

interface Result {
  run: string;
  label: string;
  mean: number;
  error: number | null;
  text: string;
}

// Names of runs may repeat (the same experiment, run again): a number tells them apart.
export function runNames(runs: Run[]): string[] {
  const seen = new Map<string, number>();
  return runs.map((run) => {
    const count = (seen.get(run.name) ?? 0) + 1;
    seen.set(run.name, count);
    return runs.filter((other) => other.name === run.name).length > 1 ? `${run.name} #${count}` : run.name;
  });
}

const caseNames = (runs: Run[]): string[] => [...new Set(runs.flatMap((run) => run.cases.map((one) => one.name)))];

interface Chosen {
  metric: string;
  case: string;
  axis: Axis;
}

function controls(runs: Run[], state: Chosen, changed: () => void, along: boolean): HTMLElement[] {
  const cases = caseNames(runs);
  const set = (change: Partial<Chosen>): void => {
    Object.assign(state, change);
    changed();
  };
  const metric = choice("Metric", metricsOf(runs).map((m) => ({ value: m.name, text: m.label })), state.metric, (value) => set({ metric: value }));
  const one = choice("Case", cases.map((name) => ({ value: name, text: name })), state.case, (value) => set({ case: value }));
  const axis = choice<Axis>("Along", [{ value: "rounds", text: "rounds" }, { value: "bytes", text: "bytes" }], state.axis, (value) => set({ axis: value }));
  return [...(cases.length > 1 ? [one] : []), metric, ...(along ? [axis] : [])];
}

const initial = (runs: Run[]): Chosen => ({ metric: metricsOf(runs)[0]?.name ?? "", case: caseNames(runs)[0] ?? "", axis: "rounds" });

export function runResultsFigure(runs: Run[], looks: Map<string, MethodLook>): Figure {
  const state = initial(runs);
  const names = runNames(runs);
  const figure: Figure = {
    id: "runs-results",
    title: "Final results, run by run",
    note: "After the last evaluated round; lines show one standard error.",
    legend: [...looks].map(([label, look]) => ({ label, look })),
    panelWidth: 320,
    controls: controls(runs, state, () => figure.changed?.(), false),
    panels: (hidden) => {
      const results = runs.flatMap((run, at) =>
        run.series.flatMap((series) => {
          const mean = series.figures[state.metric]?.mean.at(-1);
          if (hidden.has(series.algorithm) || run.cases[series.case]!.name !== state.case || mean === null || mean === undefined) return [];
          const error = series.figures[state.metric]?.error.at(-1) ?? null;
          return [{ run: names[at]!, label: series.algorithm, mean, error, text: `${names[at]}\n${series.algorithm}: ${plusMinus(mean, error)}` }];
        }),
      );
      return [resultsPanel(results, names, looks, metricNamed(state.metric).label)];
    },
  };
  return figure;
}

function resultsPanel(results: Result[], names: string[], looks: Map<string, MethodLook>, label: string): Panel {
  const labels = [...new Set(results.map((result) => result.label))];
  const description = `${label} of ${labels.join(", ")} in ${names.length} runs.`;
  return {
    title: "",
    description,
    draw: (canvas) => (results.length === 0 ? empty(canvas, 160, { title: label }) : drawResults(canvas, results, names, looks, label, description)),
    table: () => ({
      caption: label,
      columns: ["Run", ...labels],
      rows: names.map((name) => [
        name,
        ...labels.map((method) => {
          const result = results.find((one) => one.run === name && one.label === method);
          return averageCell(result?.mean, result?.error);
        }),
      ]),
    }),
  };
}

function drawResults(canvas: Canvas, results: Result[], names: string[], looks: Map<string, MethodLook>, label: string, description: string): Drawn {
  const { theme } = canvas;
  const widest = Math.max(...names.map((name) => name.length));
  const room = Math.min(canvas.width * 0.36, 16 + 6.6 * widest);
  const labels = [...new Set(results.map((result) => result.label))];
  return chart(canvas, {
    description,
    height: 56 + names.length * (names.length > 20 ? 22 : 34),
    marginLeft: room,
    marginTop: 8,
    x: { nice: true },
    y: { domain: names, padding: 0.2 },
    marks: [
      Plot.gridX({ stroke: theme.line, strokeOpacity: 1, ticks: ticksFor(canvas.width - room, 80) }),
      Plot.ruleY(names, { stroke: theme.line }),
      Plot.axisX({ label, ticks: ticksFor(canvas.width - room, 80), tickFormat: axisNumber, labelAnchor: "center", labelArrow: "none", labelOffset: 36, color: theme.soft }),
      Plot.axisY({ label: null, tickSize: 0, color: theme.ink, lineWidth: room / 12, textOverflow: "ellipsis" }),
      Plot.ruleY(results, { y: "run", x1: (r: Result) => r.mean - (r.error ?? 0), x2: (r: Result) => r.mean + (r.error ?? 0), stroke: (r: Result) => theme.hues[looks.get(r.label)!.hue], strokeWidth: 1.6 }),
      ...labels.map((method) => {
        const look = looks.get(method)!;
        return Plot.dot(results.filter((r) => r.label === method), { x: "mean", y: "run", symbol: look.marker, r: 4.2, fill: theme.hues[look.hue], stroke: theme.paper, strokeWidth: 1, className: "series" });
      }),
      Plot.tip(results, Plot.pointer({ x: "mean", y: "run", title: "text", ...tipStyle(canvas) })),
    ],
  });
}

export function runCurvesFigure(runs: Run[], looks: Map<string, MethodLook>): Figure {
  const state = initial(runs);
  const many = runs.length * looks.size > 24;
  const names = runNames(runs);
  const figure: Figure = {
    id: "runs-curves",
    title: "Progress, run by run",
    note: many ? "One line per run, of the methods that are switched on." : "One line per run and method.",
    legend: [...looks].map(([label, look]) => ({ label, look })),
    // Hundreds of lines show nothing: many runs start with one method.
    hidden: many ? [...looks.keys()].slice(1) : [],
    panelWidth: 320,
    controls: controls(runs, state, () => figure.changed?.(), true),
    panels: (hidden) => {
      const curves = runs.flatMap((run, at) =>
        run.series
          .filter((series) => run.cases[series.case]!.name === state.case && !hidden.has(series.algorithm) && records(series, state.metric))
          .map((series) => ({ ...curveOf(series, state.metric, state.axis, looks.get(series.algorithm)!), label: `${series.algorithm}, ${names[at]}` })),
      );
      return [
        curvePanel({
          title: "",
          curves: curves.map((curve) => ({ ...curve, faint: curves.length > 12 })),
          xLabel: kAxisLabels[state.axis],
          yLabel: metricNamed(state.metric).label,
          xLog: false,
          yLog: false,
          xText: state.axis === "bytes" ? format.bytes : axisNumber,
          placeText: (x) => (state.axis === "bytes" ? format.bytes(x) : `Round ${x}`),
          whole: state.axis === "rounds",
          bands: curves.length <= 12,
        }),
      ];
    },
  };
  return figure;
}
