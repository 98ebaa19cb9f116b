// SPDX-License-Identifier: Apache-2.0
// A metric against rounds, bytes or seconds: one panel per case, one line per method.
import { records, type Run, type Series } from "../data";
import { choice, toggle } from "../dom";
import type { Figure } from "../figure";
import * as format from "../format";
import type { MethodLook } from "../methods";
import { metricNamed, metricsOf, withDirection, type Metric } from "../metrics";
import { CaseFilter, legendOf, seriesOf } from "./cases";
import { axisNumber, curvePanel, type Curve } from "./curves";

export type Axis = "rounds" | "bytes" | "seconds";

export interface LinesOptions {
  id: string;
  title: string;
  metrics: string[]; // the first is shown; one panel each if `together`, until a reader chooses one of them
  axis: Axis;
  together?: boolean;
  fixed?: boolean; // a reader cannot choose another metric
}

export const kAxisLabels: Record<Axis, string> = { rounds: "Round", bytes: "Bytes exchanged", seconds: "Seconds" };

const kPlaceText: Record<Axis, (x: number) => string> = {
  rounds: (x) => `Round ${x}`,
  bytes: (x) => format.bytes(x),
  seconds: (x) => format.seconds(x),
};

export function linesFigure(run: Run, looks: Map<string, MethodLook>, options: LinesOptions): Figure {
  const state = { metrics: options.together ? options.metrics : options.metrics.slice(0, 1), axis: options.axis, xLog: false, yLog: false };
  const filter = new CaseFilter(run, () => figure.changed?.());
  const recorded = metricsOf([run]);
  const set = (change: Partial<typeof state>): void => {
    Object.assign(state, change);
    figure.changed?.();
  };
  const figure: Figure = {
    id: options.id,
    title: options.title,
    note: note(run, options),
    legend: legendOf(run, looks, (series) => options.metrics.some((metric) => records(series, metric))),
    panelWidth: run.cases.length * (options.together ? options.metrics.length : 1) > 1 ? 280 : 320,
    together: options.together ? options.metrics.length : 1,
    controls: [
      ...filter.controls,
      ...(options.fixed
        ? []
        : [choice("Metric", metricOptions(options, recorded), options.together ? kAll : (options.metrics[0] ?? ""), (metric) => set({ metrics: metric === kAll ? options.metrics : [metric] }))]),
      choice("Along", axisOptions(run), state.axis, (axis) => set({ axis })),
      toggle("log x", false, (xLog) => set({ xLog })),
      toggle("log y", false, (yLog) => set({ yLog })),
    ],
    panels: (hidden) => {
      const { metrics } = state;
      return run.cases.flatMap((one, index) => {
        if (!filter.takes(one)) return [];
        return metrics.flatMap((metric) => {
          const all = seriesOf(run, index).filter((series) => records(series, metric));
          if (all.length === 0) return []; // particles that are one have no spread
          const shown = all.filter((series) => !hidden.has(series.algorithm));
          const label = metricNamed(metric).label;
          const panel = curvePanel({
            title: run.cases.length > 1 ? one.name : "",
            curves: shown.map((series) => curveOf(series, metric, state.axis, looks.get(series.algorithm)!)),
            xLabel: kAxisLabels[state.axis],
            yLabel: label,
            xLog: state.xLog,
            yLog: state.yLog,
            xText: state.axis === "bytes" ? format.bytes : axisNumber,
            placeText: kPlaceText[state.axis],
            whole: state.axis === "rounds",
            bands: true,
          });
          return [panel];
        });
      });
    },
  };
  return figure;
}

const kAll = "";

function metricOptions(options: LinesOptions, recorded: Metric[]): { value: string; text: string }[] {
  const each = recorded.map((metric) => ({ value: metric.name, text: metric.label }));
  return options.together ? [{ value: kAll, text: options.metrics.length === 2 ? "both" : "all of them" }, ...each] : each;
}

function note(run: Run, options: LinesOptions): string {
  const what = options.together ? "" : `${withDirection(metricNamed(options.metrics[0] ?? ""))}. `;
  // A live page: a trial that has come further than the others stands alone there.
  if (run.trials > 1 && run.finished === "") return `${what}Mean over those of ${run.trials} trials that have come so far; bands show one standard error.`;
  if (run.trials > 1) return `${what}Mean over ${run.trials} trials; bands show one standard error.`;
  return `${what}A single trial: there is no standard error to show.`;
}

function axisOptions(run: Run): { value: Axis; text: string }[] {
  const sends = run.series.some((series) => series.bytes.some((value) => value > 0));
  const axes: Axis[] = sends ? ["rounds", "bytes", "seconds"] : ["rounds", "seconds"];
  return axes.map((axis) => ({ value: axis, text: axis }));
}

// A method that sends nothing has no place along bytes, one that was evaluated once has none along anything: both are
// lines across, at their last value.
export function curveOf(series: Series, metric: string, axis: Axis, look: MethodLook): Curve {
  const figures = series.figures[metric];
  const places = series[axis];
  const points = places.flatMap((x, at) => {
    const y = figures?.mean[at];
    return y === null || y === undefined ? [] : [{ x, y, error: figures?.error[at] ?? null }];
  });
  const still = points.length === 1 || (axis === "bytes" && series.bytes.every((value) => value === 0));
  return { label: series.algorithm, look, points: still ? points.slice(-1) : points, level: still };
}
