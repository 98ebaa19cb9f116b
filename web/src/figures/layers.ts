// SPDX-License-Identifier: Apache-2.0
// How far a network's particles are apart, layer by layer: where the posterior is known, and where anything goes.
import type { Run } from "../data";
import { segments } from "../dom";
import type { Figure } from "../figure";
import type { MethodLook } from "../methods";
import { CaseFilter } from "./cases";
import { dotPanel, type Dot } from "./dots";

type Form = "spread" | "relative";

export function layersFigure(run: Run, looks: Map<string, MethodLook>, id: string, title: string): Figure {
  const state: { form: Form } = { form: "spread" };
  const filter = new CaseFilter(run, () => figure.changed?.());
  const labels = [...new Set(run.layers.map((one) => one.algorithm))];
  const dotsOf = (index: number, hidden: ReadonlySet<string>): Dot[] =>
    run.layers
      .filter((one) => one.case === index && !hidden.has(one.algorithm))
      .flatMap((one) =>
        one.layers.flatMap(({ name, spread, size }) => {
          const value = state.form === "spread" ? spread : spread !== null && size ? spread / size : null;
          return value === null ? [] : [{ row: name, label: one.algorithm, look: looks.get(one.algorithm)!, value, low: null, high: null }];
        }),
      );
  const figure: Figure = {
    id,
    title: title || "Posterior: spread of the particles by layer",
    note: "Root mean square, over a layer’s parameters, of their standard deviation from particle to particle; first trial, last round. Particles without spread say nothing about uncertainty. Methods with a single particle are left out.",
    legend: labels.map((label) => ({ label, look: looks.get(label)! })),
    panelWidth: 360,
    controls: [
      ...filter.controls,
      segments<Form>("Form", [{ value: "spread", text: "spread" }, { value: "relative", text: "relative to the weights" }], "spread", (form) => {
        state.form = form;
        figure.changed?.();
      }),
    ],
    panels: (hidden) =>
      run.cases.flatMap((one, index) => {
        if (!filter.takes(one) || !run.layers.some((each) => each.case === index)) return [];
        const xLabel = state.form === "spread" ? "Spread of the particles" : "Spread over the size of the mean";
        return [dotPanel({ title: run.cases.length > 1 ? one.name : "", dots: dotsOf(index, hidden), xLabel, rowLabel: "Layer", zero: true })];
      }),
  };
  return figure;
}
