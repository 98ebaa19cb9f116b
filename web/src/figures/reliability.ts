// SPDX-License-Identifier: Apache-2.0
// Reliability diagrams: how often a prediction is right, against how sure it was. Below, how many rows stand behind
// each bar.
import * as Plot from "@observablehq/plot";
import type { Bin, Reliability, Run } from "../data";
import type { Canvas, Drawn, Figure, Panel } from "../figure";
import { number } from "../format";
import type { MethodLook } from "../methods";
import { valueCell } from "../table";
import { CaseFilter } from "./cases";
import { chart, tipStyle } from "./plot";

const kStrip = 0.2; // height of the strip of counts, in units of the diagram

export function reliabilityFigure(run: Run, looks: Map<string, MethodLook>, id: string, title: string): Figure {
  const filter = new CaseFilter(run, () => figure.changed?.());
  const labels = [...new Set(run.reliability.map((one) => one.algorithm))];
  const figure: Figure = {
    id,
    title: title || "Reliability",
    note: `Share of right predictions in each range of confidence${run.trials > 1 ? ", rows of all trials together" : ""}. On the diagonal, confidence can be believed; a bar that ends below its mark, the mean confidence, is too sure of itself. The grey strip counts the rows.${run.trials > 1 ? ` ${kPooled}` : ""}`,
    legend: labels.map((label) => ({ label, look: looks.get(label)! })),
    panelWidth: 230,
    together: Math.min(4, labels.length), // a row shows one case
    controls: filter.controls,
    panels: (hidden) =>
      run.reliability
        .filter((one) => !hidden.has(one.algorithm) && filter.takes(run.cases[one.case]!))
        .map((one) => panelOf(run, one, looks.get(one.algorithm)!)),
  };
  return figure;
}

const kPooled =
  "ECE and MCE here are pooled: gaps are taken after the rows of all trials were put together, so that gaps of opposite sign cancel. The table has the mean of each trial’s own ECE, which is usually larger.";

// What the table says; null where a single trial makes both the same.
function meanOfTrials(run: Run, data: Reliability): number | null {
  const series = run.series.find((one) => one.case === data.case && one.algorithm === data.algorithm);
  if (!series || series.trials < 2) return null;
  return series.figures["ece"]?.mean.at(-1) ?? null;
}

function panelOf(run: Run, data: Reliability, look: MethodLook): Panel {
  const where = run.cases.length > 1 ? `${run.cases[data.case]!.name} · ` : "";
  const title = `${where}${data.algorithm}`;
  const mean = meanOfTrials(run, data);
  const pooled = mean === null ? "" : " pooled";
  const beside = mean === null ? "" : ` (mean of the trials ${number(mean)})`;
  const note = `ECE${pooled} ${number(data.ece)}${beside} · MCE${pooled} ${number(data.mce)} · round ${data.round}`;
  const description = `Reliability of ${title} after round ${data.round}: expected calibration error${pooled} ${number(data.ece)}${beside}, maximum ${number(data.mce)}.`;
  return {
    title,
    note,
    description,
    draw: (canvas) => draw(canvas, data, look, description),
    table: () => ({
      caption: `${title}: ${note}`,
      columns: ["Confidence", "Rows", "Mean confidence", "Accuracy"],
      rows: data.bins.map((bin) => [
        `${number(bin.low, 3)} to ${number(bin.high, 3)}`,
        valueCell(bin.count),
        valueCell(bin.confidence),
        valueCell(bin.accuracy),
      ]),
    }),
  };
}

function draw(canvas: Canvas, data: Reliability, look: MethodLook, description: string): Drawn {
  const { theme } = canvas;
  const colour = theme.hues[look.hue];
  const filled = data.bins.filter((bin) => bin.count > 0);
  const most = Math.max(1, ...data.bins.map((bin) => bin.count));
  const tick = (value: number): string => (value < 0 ? "" : String(value));
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  const side = Math.min(canvas.width, 360);
  const edges = { x1: "low", x2: "high", insetLeft: 0.5, insetRight: 0.5 };
  const text = (bin: Bin): string => `confidence ${number(bin.confidence, 3)}\naccuracy ${number(bin.accuracy, 3)}\n${bin.count} rows`;
  return chart({ ...canvas, width: side }, {
    description,
    height: side * 1.12,
    marginLeft: 40,
    marginRight: 10,
    marginTop: 20,
    x: { domain: [0, 1] },
    y: { domain: [-kStrip - 0.04, 1] },
    marks: [
      Plot.gridY(ticks, { stroke: theme.line, strokeOpacity: 1 }),
      Plot.axisX({ label: "Confidence", ticks, tickFormat: String, tickSize: 4, labelAnchor: "center", labelArrow: "none", labelOffset: 36, color: theme.soft }),
      Plot.axisY({ label: "Accuracy", ticks, tickSize: 0, tickFormat: tick, labelArrow: "none", color: theme.soft }),
      Plot.rectY(filled, { ...edges, y1: 0, y2: "accuracy", fill: colour, fillOpacity: 0.75, className: "series" }),
      // The gap that ECE and MCE measure, from accuracy to confidence: shaded where the method is too sure of itself.
      Plot.rectY(filled.filter((bin) => bin.confidence! > bin.accuracy!), { ...edges, y1: "accuracy", y2: "confidence", fill: colour, fillOpacity: 0.18 }),
      Plot.ruleY(filled, { ...edges, y: "confidence", stroke: theme.paper, strokeWidth: 4, strokeOpacity: 0.9 }),
      Plot.ruleY(filled, { ...edges, y: "confidence", stroke: theme.ink, strokeWidth: 1.8 }),
      Plot.line([[0, 0], [1, 1]], { stroke: theme.ink, strokeDasharray: "4 3", strokeWidth: 1.2 }),
      Plot.rectY(data.bins, { ...edges, y1: -kStrip - 0.04, y2: (bin: Bin) => -kStrip - 0.04 + (kStrip * bin.count) / most, fill: theme.soft, fillOpacity: 0.45 }),
      Plot.ruleY([0], { stroke: theme.soft, strokeWidth: 0.8 }),
      Plot.tip(filled, Plot.pointerX({ x: (bin: Bin) => (bin.low + bin.high) / 2, y: "accuracy", title: text, ...tipStyle(canvas) })),
    ],
  });
}
