// SPDX-License-Identifier: Apache-2.0
import { svg } from "./dom";
import type { Marker, MethodLook } from "./methods";
import type { Theme } from "./palette";

// Outlines in a box from -4 to 4.
const kOutlines: Record<Marker, string> = {
  circle: "M3.4,0A3.4,3.4,0,1,1,-3.4,0A3.4,3.4,0,1,1,3.4,0Z",
  square: "M-3,-3H3V3H-3Z",
  triangle: "M0,-4L3.8,2.8H-3.8Z",
  diamond: "M0,-4.2L3.4,0L0,4.2L-3.4,0Z",
  star: "M0,-4.4L1.2,-1.5L4.2,-1.4L1.8,.5L2.6,3.5L0,1.8L-2.6,3.5L-1.8,.5L-4.2,-1.4L-1.2,-1.5Z",
  wye: "M1.3,.75V3.8H-1.3V.75L-3.9,-.75L-2.6,-3L0,-1.5L2.6,-3L3.9,-.75Z",
  cross: "M-3.8,-1.3H-1.3V-3.8H1.3V-1.3H3.8V1.3H1.3V3.8H-1.3V1.3H-3.8Z",
};

export function markerShape(marker: Marker, fill: string, paper: string, scale = 1): SVGPathElement {
  return svg("path", { d: kOutlines[marker], fill, stroke: paper, "stroke-width": 1 / scale, transform: `scale(${scale})` });
}

// The piece of line that stands before a method's name.
export function swatch(look: MethodLook, theme: Theme): SVGSVGElement {
  const colour = theme.hues[look.hue];
  return svg(
    "svg",
    { width: 30, height: 12, viewBox: "-15 -6 30 12", "aria-hidden": "true", class: "swatch" },
    svg("line", { x1: -14, x2: 14, y1: 0, y2: 0, stroke: colour, "stroke-width": 2.2, "stroke-dasharray": look.dash || "none" }),
    markerShape(look.marker, colour, theme.paper),
  );
}
