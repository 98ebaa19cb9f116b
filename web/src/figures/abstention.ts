// SPDX-License-Identifier: Apache-2.0
// What it buys to leave the rows with the least confidence to somebody else: the accuracy of those that are answered.
import type { Run, Series } from "../data";
import type { Figure, Panel } from "../figure";
import type { MethodLook } from "../methods";
import { abstainedShare, percent } from "../metrics";
import { CaseFilter, legendOf, seriesOf } from "./cases";
import { curvePanel, type Curve } from "./curves";

const isAsked = (series: Series): boolean => Object.keys(series.figures).some((name) => abstainedShare(name) !== null);

const isKept = (run: Run, series: Series): boolean => run.abstention.some((one) => one.case === series.case && one.algorithm === series.algorithm);

export const abstains = (run: Run, series: Series): boolean => isAsked(series) || isKept(run, series);

export function abstentionFigure(run: Run, looks: Map<string, MethodLook>, id: string, title: string): Figure {
  const filter = new CaseFilter(run, () => figure.changed?.());
  const figure: Figure = {
    id,
    title: title || "Accuracy against the share left out",
    note: "Accuracy, after the last round, of the rows that are answered when the least confident are left to somebody else. A model that knows what it does not know rises steeply.",
    legend: legendOf(run, looks, (series) => abstains(run, series)),
    panelWidth: 300,
    controls: filter.controls,
    panels: (hidden) =>
      run.cases.flatMap((one, index) => {
        const curves = curvesOf(run, index, looks);
        return filter.takes(one) && curves.length > 0 ? [panelOf(run, index, curves.filter((curve) => !hidden.has(curve.label)))] : [];
      }),
  };
  return figure;
}

function panelOf(run: Run, index: number, curves: Curve[]): Panel {
  return curvePanel({
    title: run.cases.length > 1 ? run.cases[index]!.name : "",
    curves,
    xLabel: "Share left out",
    yLabel: "Accuracy of the rest",
    xLog: false,
    yLog: false,
    xText: percent,
    placeText: (x) => `${percent(x)} left out`,
    whole: false,
    bands: true,
  });
}

export function curvesOf(run: Run, index: number, looks: Map<string, MethodLook>): Curve[] {
  return seriesOf(run, index)
    .filter((series) => abstains(run, series))
    .map((series) => ({ label: series.algorithm, look: looks.get(series.algorithm)!, points: isAsked(series) ? pointsOf(series) : keptPoints(run, series), level: false }));
}

// Where the experiment asked for no shares of its own.
function keptPoints(run: Run, series: Series): Curve["points"] {
  const kept = run.abstention.find((one) => one.case === series.case && one.algorithm === series.algorithm);
  return (kept?.shares ?? []).flatMap((x, at) => {
    const y = kept!.accuracy.mean[at];
    return y === null || y === undefined ? [] : [{ x, y, error: kept!.accuracy.error[at] ?? null }];
  });
}

function pointsOf(series: Series): Curve["points"] {
  return Object.entries(series.figures)
    .flatMap(([name, figure]) => {
      const x = abstainedShare(name);
      const y = figure.mean.at(-1) ?? null;
      return x === null || y === null ? [] : [{ x, y, error: figure.error.at(-1) ?? null }];
    })
    .sort((a, b) => a.x - b.x);
}
