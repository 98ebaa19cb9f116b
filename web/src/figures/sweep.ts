// SPDX-License-Identifier: Apache-2.0
// The final metric against a number that the experiment varies: particles, local steps, hidden units, agents.
import { records, type Run } from "../data";
import { choice, toggle } from "../dom";
import type { Figure, Panel } from "../figure";
import type { MethodLook } from "../methods";
import { metricNamed, metricsOf, withDirection } from "../metrics";
import { CaseFilter, capital, legendOf, seriesOf } from "./cases";
import { axisNumber, curvePanel, type Curve } from "./curves";

export interface SweepOptions {
  id: string;
  title: string;
  metrics: string[]; // one row of panels each
  x: string;
}

export function sweepFigure(run: Run, looks: Map<string, MethodLook>, options: SweepOptions): Figure {
  const recorded = metricsOf([run]);
  const state = { metrics: options.metrics, xLog: false };
  const filter = new CaseFilter(run, () => figure.changed?.(), options.x);
  const figure: Figure = {
    id: options.id,
    title: options.title,
    note: `${options.metrics.map((name) => withDirection(metricNamed(name))).join("; ")}, after the last round, against ${options.x}.`,
    legend: legendOf(run, looks, (series) => options.metrics.some((metric) => records(series, metric))),
    panelWidth: 300,
    controls: [
      ...filter.controls,
      choice(
        "Metric",
        [{ value: "", text: options.metrics.map((name) => metricNamed(name).label).join(" and ") }, ...recorded.map((m) => ({ value: m.name, text: m.label }))],
        "",
        (metric) => {
          state.metrics = metric ? [metric] : options.metrics;
          figure.changed?.();
        },
      ),
      toggle("log x", false, (on) => {
        state.xLog = on;
        figure.changed?.();
      }),
    ],
    panels: (hidden) => state.metrics.flatMap((metric) => panelsOf(metric, hidden)),
  };

  const panelsOf = (metric: string, hidden: ReadonlySet<string>): Panel[] =>
    groups(run, filter, options.x).map(({ name, places }) =>
      curvePanel({
        title: name,
        curves: sweepCurves(run, places, metric, looks).filter((curve) => !hidden.has(curve.label)),
        xLabel: capital(options.x),
        yLabel: metricNamed(metric).label,
        xLog: state.xLog,
        yLog: false,
        xText: axisNumber,
        placeText: (x) => `${options.x} = ${axisNumber(x)}`,
        whole: true,
        bands: true,
      }),
    );
  return figure;
}

interface Group {
  name: string;
  places: { x: number; index: number }[];
}

// Cases that differ in x alone belong to one panel.
export function groups(run: Run, filter: CaseFilter, x: string): Group[] {
  const all = new Map<string, Group>();
  run.cases.forEach((one, index) => {
    const place = Number(one.coordinates.find(([name]) => name === x)?.[1]);
    if (!Number.isFinite(place) || !filter.takes(one)) return;
    const name = one.coordinates.filter(([other]) => other !== x).map(([other, value]) => (other === "dataset" ? value : `${other} ${value}`)).join(", ");
    const group = all.get(name) ?? { name, places: [] };
    group.places.push({ x: place, index });
    all.set(name, group);
  });
  for (const group of all.values()) group.places.sort((a, b) => a.x - b.x);
  return [...all.values()];
}

function sweepCurves(run: Run, places: Group["places"], metric: string, looks: Map<string, MethodLook>): Curve[] {
  const curves = new Map<string, Curve>();
  for (const { x, index } of places) {
    for (const series of seriesOf(run, index)) {
      const figure = records(series, metric) ? series.figures[metric] : undefined;
      const y = figure?.mean.at(-1);
      if (!figure || y === null || y === undefined) continue;
      const curve = curves.get(series.algorithm) ?? { label: series.algorithm, look: looks.get(series.algorithm)!, points: [], level: false };
      curve.points.push({ x, y, error: figure.error.at(-1) ?? null });
      curves.set(series.algorithm, curve);
    }
  }
  // A method that ran at one value only is a level to compare with.
  for (const curve of curves.values()) curve.level = curve.points.length === 1 && places.length > 1;
  return [...curves.values()];
}
