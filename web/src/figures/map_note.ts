// SPDX-License-Identifier: Apache-2.0
// What is said under the caption of maps: how to read them, and which settings they come from.
import type { PlaneMap, Run } from "../data";

// Of a resolved configuration, what is read here.
interface Configured {
  cases?: { model?: { type?: string; settings?: Settings }; algorithms?: { label?: string; settings?: Settings }[] }[];
}
type Settings = Record<string, unknown>;

const kToldOfModels = ["hidden", "activation", "prior_precision", "prior_deviation"];

export const className = (map: PlaneMap, at: number): string => map.class_names[at] ?? (map.classes === 2 ? ["−1", "+1"][at]! : String(at));

export function mapNote(run: Run, maps: PlaneMap[], shapes: number): string {
  const first = maps[0];
  if (!first) return "";
  const two = first.classes === 2;
  const agents = new Set(maps.flatMap((map) => map.points.map((point) => point[3]))).size;
  const colours = two ? `white: class ${className(first, 0)}, black: class ${className(first, 1)}` : "the darker, the later the class";
  const parts = [
    `Points: the training rows that the method learned from (${colours}${agents > 1 && agents <= shapes ? "; each agent has its own shape" : ""}).`,
    two ? "The line is where both classes are equally probable." : "",
    "Epistemic doubt is how far the particles disagree: 0 where all say the same, 1 where each is certain of another class. A method with one particle cannot doubt.",
    "First trial, after the last round.",
    settingsNote(run, first.case),
  ];
  return parts.filter(Boolean).join(" ");
}

// Doubt depends on the prior and on what keeps particles apart, so both are told.
export function settingsNote(run: Run, at: number): string {
  const configured = (run.configuration as Configured | null)?.cases?.[at];
  if (!configured?.model?.type) return "";
  const settings = configured.model.settings ?? {};
  const told = kToldOfModels.filter((name) => Object.hasOwn(settings, name)).map((name) => `${name} = ${shown(settings[name])}`);
  const model = `Model: ${configured.model.type}${told.length ? ` (${told.join(", ")})` : ""}.`;
  const apart = (configured.algorithms ?? []).filter((one) => one.settings?.["repulsion"] === "predictions").map((one) => one.label);
  if (apart.length === 0) return model;
  return `${model} Set for ${apart.join("; ")}: repulsion = predictions. It keeps particles apart in what they predict where no data say what to predict, so that doubt shows there.`;
}

const shown = (value: unknown): string => (typeof value === "number" ? String(Number(value.toPrecision(4))) : Array.isArray(value) ? value.map(shown).join(", ") : String(value));
