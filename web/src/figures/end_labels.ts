// SPDX-License-Identifier: Apache-2.0
// Names at the ends of curves, so that nobody has to look from the legend to the curve and back: beside each end, moved
// apart where ends are close, with a thread to the end they belong to.
import { svg } from "../dom";
import type { Canvas, Drawn } from "../figure";
import type { MethodLook } from "../methods";
import { markerShape } from "../swatch";
import { kLabelFont, kLabelRow, kLead, kMarker, labelRoom, movedApart, shortened } from "./label_places";

export interface EndLabel {
  text: string;
  look: MethodLook;
  x: number; // of the end, in the units of the axes
  y: number;
}

const kNear = 40;
const measure = document.createElement("canvas").getContext("2d");

function widthOf(text: string): number {
  if (!measure) return 0.7 * kLabelFont * text.length;
  measure.font = `${kLabelFont}px ${getComputedStyle(document.body).fontFamily}`;
  return measure.measureText(text).width;
}

// Pixels that the names take on the right of a chart; 0: they are not shown.
export const endRoom = (names: string[], width: number): number => labelRoom(names, width, widthOf);

// Into the room on the right, between top and bottom.
export function addEndLabels(drawn: Drawn, labels: EndLabel[], canvas: Canvas, place: { room: number; top: number; bottom: number }): void {
  const { room, top, bottom } = place;
  const x = drawn.scale?.("x");
  const y = drawn.scale?.("y");
  const picture = drawn instanceof SVGSVGElement ? drawn : drawn.querySelector("svg");
  if (!x || !y || !picture || room === 0) return;
  const left = canvas.width - room + kLead;
  const ends = labels.map((label) => y.apply(label.y));
  const places = movedApart(ends, kLabelRow, top + kLabelRow / 2, bottom - kLabelRow / 2);
  const group = svg("g", { class: "end-labels", "aria-hidden": "true" });
  labels.forEach((label, at) => {
    const colour = canvas.theme.hues[label.look.hue];
    // A long thread, of a curve that ends early, must not be taken for a curve.
    const near = left - x.apply(label.x) < kNear;
    const thread = { fill: "none", stroke: colour, "stroke-width": 1, "stroke-opacity": near ? 0.7 : 0.4, "stroke-dasharray": near ? "none" : "1 4" };
    const marker = svg("g", { transform: `translate(${left + 2},${places[at]})` }, markerShape(label.look.marker, colour, canvas.theme.paper, 0.9));
    const words = { x: left + kMarker, y: places[at]!, dy: "0.34em", "font-size": kLabelFont, "text-anchor": "start", fill: canvas.theme.ink, class: "end-label" };
    group.append(
      svg("path", { d: `M${x.apply(label.x) + 3},${ends[at]}L${left - 4},${places[at]}`, ...thread }),
      marker,
      svg("text", words, shortened(label.text, room, widthOf)),
    );
  });
  picture.append(group);
}
