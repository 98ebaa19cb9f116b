// SPDX-License-Identifier: Apache-2.0
// Whether a regression's intervals hold what they promise: at each level, the share of test targets inside.
import type { Coverage, Run } from "../data";
import type { Figure } from "../figure";
import type { MethodLook } from "../methods";
import { percent } from "../metrics";
import { CaseFilter } from "./cases";
import { curvePanel, type Curve } from "./curves";

export function coverageFigure(run: Run, looks: Map<string, MethodLook>, id: string, title: string): Figure {
  const filter = new CaseFilter(run, () => figure.changed?.());
  const labels = [...new Set(run.coverage.map((one) => one.algorithm))];
  const trials = run.trials > 1 ? `; mean over ${run.trials} trials, bands show one standard error` : "";
  const figure: Figure = {
    id,
    title: title || "Coverage of intervals",
    note: `Share of test targets inside the central interval of each level, after the last round${trials}. On the diagonal an interval holds what it promises; below it, predictions are too sure.`,
    legend: labels.map((label) => ({ label, look: looks.get(label)! })),
    panelWidth: 300,
    controls: filter.controls,
    panels: (hidden) =>
      run.cases.flatMap((one, index) => {
        const curves = run.coverage.filter((each) => each.case === index && !hidden.has(each.algorithm)).map((each) => curveOf(each, looks));
        if (!filter.takes(one) || !run.coverage.some((each) => each.case === index)) return [];
        return [
          curvePanel({
            title: run.cases.length > 1 ? one.name : "",
            curves,
            xLabel: "Level of the interval",
            yLabel: "Targets inside",
            xLog: false,
            yLog: false,
            xText: percent,
            placeText: (x) => `${percent(x)} intervals`,
            bands: true,
            diagonal: true,
          }),
        ];
      }),
  };
  return figure;
}

function curveOf(data: Coverage, looks: Map<string, MethodLook>): Curve {
  const points = data.levels.flatMap((x, at) => {
    const y = data.covered.mean[at];
    return y === null || y === undefined ? [] : [{ x, y, error: data.covered.error[at] ?? null }];
  });
  return { label: data.algorithm, look: looks.get(data.algorithm)!, points, level: false };
}
