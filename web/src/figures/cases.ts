// SPDX-License-Identifier: Apache-2.0
// Choosing among an experiment's cases by their coordinates.
import type { Case, Run, Series } from "../data";
import { choice } from "../dom";
import type { LegendEntry } from "../figure";
import type { MethodLook } from "../methods";

const kAll = "";

export class CaseFilter {
  readonly controls: HTMLElement[] = [];
  private readonly chosen = new Map<string, string>();

  // `except`: a coordinate that runs along the figure's axis is not chosen.
  constructor(run: Run, changed: () => void, except = "") {
    if (run.cases.length < 3) return;
    for (const [name, values] of coordinateValues(run.cases)) {
      if (name === except || values.length < 2) continue;
      const options = [{ value: kAll, text: "all" }, ...values.map((value) => ({ value, text: value }))];
      this.controls.push(
        choice(capital(name), options, kAll, (value) => {
          this.chosen.set(name, value);
          changed();
        }),
      );
    }
  }

  takes(one: Case): boolean {
    return one.coordinates.every(([name, value]) => {
      const wanted = this.chosen.get(name);
      return !wanted || wanted === value;
    });
  }
}

export function coordinateValues(cases: Case[]): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const { coordinates } of cases) {
    for (const [name, value] of coordinates) {
      const values = all.get(name) ?? [];
      if (!values.includes(value)) values.push(value);
      all.set(name, values);
    }
  }
  return all;
}

export const seriesOf = (run: Run, index: number): Series[] => run.series.filter((series) => series.case === index);

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

// Labels in the order in which the run lists them.
export function legendOf(run: Run, looks: Map<string, MethodLook>, shown: (series: Series) => boolean): LegendEntry[] {
  const labels = [...new Set(run.series.filter(shown).map((series) => series.algorithm))];
  return labels.map((label) => ({ label, look: looks.get(label)! }));
}
