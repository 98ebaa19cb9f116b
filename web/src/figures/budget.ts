// SPDX-License-Identifier: Apache-2.0
// How many bytes a method exchanges until its mean reaches a target for good.
import * as Plot from "@observablehq/plot";
import { records, type Run, type Series, type Value } from "../data";
import { choice, h } from "../dom";
import type { Canvas, Drawn, Figure, Panel } from "../figure";
import { bytes, number } from "../format";
import type { MethodLook } from "../methods";
import { metricNamed, metricsOf } from "../metrics";
import { valueCell } from "../table";
import { CaseFilter, legendOf, seriesOf } from "./cases";
import { empty } from "./curves";
import { chart } from "./plot";

interface Budget {
  label: string;
  bytes: number | null; // null: the target is not held at the end
  round: number | null;
}

// The first evaluated round from which the mean is at least as good as the target until the end: as `compare` counts.
export function toTarget(series: Series, metric: string, target: number): { bytes: number | null; round: number | null } {
  const lower = metricNamed(metric).better === "lower";
  const mean = series.figures[metric]?.mean ?? [];
  const misses = (value: Value): boolean => value !== null && !(lower ? value <= target : value >= target);
  const last = mean.reduce((found: number, value, index) => (misses(value) ? index : found), -1);
  const at = mean.findIndex((value, index) => index > last && value !== null);
  return at < 0 ? { bytes: null, round: null } : { bytes: series.bytes[at] ?? null, round: series.rounds[at] ?? null };
}

export const sends = (series: Series): boolean => series.bytes.some((value) => value > 0);

export function budgetFigure(run: Run, looks: Map<string, MethodLook>, id: string): Figure {
  const judged = metricsOf([run]).filter((metric) => metric.better !== "");
  const first = judged[0]?.name ?? "";
  const state = { metric: first, target: suggested(run, first) };
  const filter = new CaseFilter(run, () => figure.changed?.());
  const input = h("input", {
    type: "number",
    step: "any",
    value: state.target,
    onchange: () => {
      if (input.value !== "" && Number.isFinite(input.valueAsNumber)) state.target = input.valueAsNumber;
      input.value = String(state.target);
      figure.changed?.();
    },
  });
  const figure: Figure = {
    id,
    title: "Communication budget",
    note: "Bytes exchanged, in both directions, until the mean over trials reaches the target and holds it to the end. Methods that send nothing are left out.",
    legend: legendOf(run, looks, sends),
    panelWidth: 280,
    controls: [
      ...filter.controls,
      choice("Metric", judged.map((m) => ({ value: m.name, text: m.label })), state.metric, (metric) => {
        state.metric = metric;
        state.target = suggested(run, metric);
        input.value = String(state.target);
        figure.changed?.();
      }),
      h("label", { class: "field" }, h("span", {}, "Target"), input),
    ],
    panels: (hidden) =>
      run.cases.flatMap((one, index) => {
        if (!filter.takes(one)) return [];
        const all = seriesOf(run, index).filter((series) => sends(series) && records(series, state.metric));
        if (all.length === 0) return [];
        const shown = all.filter((series) => !hidden.has(series.algorithm));
        const rows = shown.map((series) => ({ label: series.algorithm, ...toTarget(series, state.metric, state.target) }));
        return [panelOf(run.cases.length > 1 ? one.name : "", rows, looks)];
      }),
  };
  return figure;
}

// Half of the methods get there: the middle of their final values, to two digits.
function suggested(run: Run, metric: string): number {
  const finals = run.series.filter(sends).flatMap((series) => series.figures[metric]?.mean.at(-1) ?? []);
  finals.sort((a, b) => a - b);
  const middle = finals[Math.floor(finals.length / 2)] ?? 0;
  const unit = 10 ** (Math.floor(Math.log10(Math.abs(middle) || 1)) - 1);
  const towardsEasy = metricNamed(metric).better === "lower" ? Math.ceil : Math.floor;
  return Number((towardsEasy(middle / unit) * unit).toPrecision(3));
}

function panelOf(title: string, rows: Budget[], looks: Map<string, MethodLook>): Panel {
  const told = rows.map((row) => `${row.label} ${row.bytes === null ? "does not hold it" : bytes(row.bytes)}`).join(", ");
  const description = `${title ? `${title}. ` : ""}Bytes to reach the target: ${told}.`;
  return {
    title,
    description,
    draw: (canvas) => (rows.length === 0 ? empty(canvas, 160, { title }) : draw(canvas, rows, looks, description)),
    table: () => ({
      caption: title || "Bytes to reach the target",
      columns: ["Method", "Bytes", "Round"],
      rows: rows.map((row) => [row.label, valueCell(row.bytes, row.bytes === null ? "not held" : bytes(row.bytes)), valueCell(row.round, number(row.round))]),
    }),
  };
}

function draw(canvas: Canvas, rows: Budget[], looks: Map<string, MethodLook>, description: string): Drawn {
  const reached = rows.filter((row) => row.bytes !== null);
  const missed = rows.filter((row) => row.bytes === null);
  const widest = Math.max(...rows.map((row) => row.label.length));
  return chart(canvas, {
    description,
    height: 52 + 26 * rows.length,
    marginLeft: Math.min(canvas.width * 0.4, 14 + 7 * widest),
    marginRight: 64,
    marginTop: 6,
    x: { domain: [0, Math.max(1, ...reached.map((row) => row.bytes!))], nice: true },
    y: { domain: rows.map((row) => row.label), padding: 0.3 },
    marks: [
      Plot.gridX({ stroke: canvas.theme.line, strokeOpacity: 1, ticks: 3 }),
      Plot.axisX({ label: "Bytes exchanged", ticks: 3, tickFormat: bytes, labelAnchor: "center", labelArrow: "none", labelOffset: 36, color: canvas.theme.soft }),
      Plot.axisY({ label: null, tickSize: 0, color: canvas.theme.ink }),
      Plot.barX(reached, { x: "bytes", y: "label", fill: (row: Budget) => canvas.theme.hues[looks.get(row.label)!.hue], fillOpacity: 0.82, className: "series" }),
      Plot.text(reached, { x: "bytes", y: "label", text: (row: Budget) => bytes(row.bytes), textAnchor: "start", dx: 6, fill: canvas.theme.ink }),
      Plot.text(missed, { x: 0, y: "label", text: () => "not held", textAnchor: "start", dx: 6, fill: canvas.theme.soft, fontStyle: "italic" }),
    ],
  });
}
