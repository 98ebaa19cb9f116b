// SPDX-License-Identifier: Apache-2.0
// What all charts have in common: type, margins, colours, and the text alternative.
import * as Plot from "@observablehq/plot";
import type { Canvas, Drawn } from "../figure";

export interface ChartOptions extends Plot.PlotOptions {
  description: string;
}

// Of all charts that do not need others.
export const kMargins = { top: 26, right: 14, bottom: 40, left: 52 };

export function chart(canvas: Canvas, options: ChartOptions): Drawn {
  const { description, style: _style, ...rest } = options;
  const drawn = Plot.plot({
    width: canvas.width,
    marginTop: kMargins.top,
    marginBottom: kMargins.bottom,
    marginLeft: kMargins.left,
    marginRight: kMargins.right,
    ...rest,
    style: {
      background: "transparent",
      color: canvas.theme.soft,
      fontFamily: "inherit",
      fontSize: "12px",
      overflow: "visible",
    },
    ariaLabel: description,
  });
  // A picture with one description, not a heap of anonymous groups.
  drawn.setAttribute("role", "img");
  return drawn;
}

// Axes without boxes: hairlines across, labels in the text's own grey.
export function axes(canvas: Canvas, x: Plot.AxisXOptions, y: Plot.AxisYOptions): Plot.Markish[] {
  const grid = { stroke: canvas.theme.line, strokeOpacity: 1 };
  return [
    Plot.gridY(y.ticks === undefined ? grid : { ...grid, ticks: y.ticks }),
    Plot.axisX({ tickSize: 4, labelAnchor: "center", labelArrow: "none", labelOffset: 36, color: canvas.theme.soft, ...x }),
    Plot.axisY({ tickSize: 0, labelAnchor: "top", labelArrow: "none", color: canvas.theme.soft, ...y }),
  ];
}

export function tipStyle(canvas: Canvas): Plot.TipOptions {
  return { fill: canvas.theme.paper, stroke: canvas.theme.line, pathFilter: "none", fontSize: 12, textPadding: 8 };
}

export const ticksFor = (length: number, each: number): number => Math.max(2, Math.floor(length / each));
