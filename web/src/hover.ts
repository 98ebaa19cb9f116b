// SPDX-License-Identifier: Apache-2.0
// Values under the pointer, or under the arrow keys: one line across the panel, a mark on every curve, and a small
// table beside it.
import { h, svg } from "./dom";
import type { Drawn, HoverPlace, PlotScale } from "./figure";
import { swatch } from "./swatch";
import { theme } from "./theme";

export function attachHover(frame: HTMLElement, chart: Drawn, places: HoverPlace[]): void {
  const x = chart.scale?.("x");
  const y = chart.scale?.("y");
  const picture = chart instanceof SVGSVGElement ? chart : chart.querySelector("svg");
  if (!x || !y || !picture || places.length === 0) return;
  const marks = svg("g", { "pointer-events": "none", class: "hover" });
  picture.append(marks);
  const tip = h("div", { class: "tip", role: "status", hidden: true });
  frame.append(tip);
  let at = -1;

  const show = (next: number): void => {
    if (next === at) return;
    at = next;
    const place = places[at];
    tip.hidden = !place;
    if (!place) return marks.replaceChildren();
    marks.replaceChildren(...crosshair(place, x, y, picture));
    tip.replaceChildren(h("strong", {}, place.title), readings(place));
    position(tip, frame, (x.apply(place.x) / viewWidth(picture)) * picture.clientWidth);
  };

  picture.addEventListener("pointermove", (event) => {
    const box = picture.getBoundingClientRect();
    show(nearest(places, x, ((event.clientX - box.left) / box.width) * viewWidth(picture)));
  });
  picture.addEventListener("pointerleave", () => show(-1));
  frame.onblur = () => show(-1);
  frame.onkeydown = (event) => {
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, Home: -places.length, End: places.length };
    const step = steps[event.key];
    if (event.key === "Escape") show(-1);
    if (step === undefined) return;
    event.preventDefault();
    show(Math.max(0, Math.min(places.length - 1, at + step)));
  };
}

const viewWidth = (picture: SVGSVGElement): number => picture.viewBox.baseVal.width || picture.clientWidth;

function nearest(places: HoverPlace[], x: PlotScale, position: number): number {
  let best = 0;
  places.forEach((place, index) => {
    const distance = Math.abs(x.apply(place.x) - position);
    if (distance < Math.abs(x.apply(places[best]!.x) - position)) best = index;
  });
  return best;
}

function crosshair(place: HoverPlace, x: PlotScale, y: PlotScale, picture: SVGSVGElement): SVGElement[] {
  const look = theme();
  const left = x.apply(place.x);
  const height = picture.viewBox.baseVal.height;
  const line = svg("line", { x1: left, x2: left, y1: 12, y2: height - 34, stroke: look.soft, "stroke-dasharray": "2 3" });
  const dots = place.readings.map((reading) =>
    svg("circle", {
      cx: left,
      cy: y.apply(reading.y),
      r: 4,
      fill: reading.look ? look.hues[reading.look.hue] : look.ink,
      stroke: look.paper,
      "stroke-width": 1.5,
    }),
  );
  return [line, ...dots];
}

function readings(place: HoverPlace): HTMLElement {
  const rows = place.readings.map((reading) =>
    h(
      "tr",
      {},
      h("td", {}, reading.look ? swatch(reading.look, theme()) : null),
      h("td", {}, reading.label),
      h("td", { class: "number" }, reading.text),
    ),
  );
  return h("table", {}, h("tbody", {}, rows));
}

// Beside the line, on the side that has room.
function position(tip: HTMLElement, frame: HTMLElement, left: number): void {
  const room = frame.clientWidth - left;
  const width = tip.offsetWidth;
  const place = room > width + 16 ? left + 12 : left - width - 12;
  tip.style.left = `${Math.max(0, Math.min(place, frame.clientWidth - width))}px`;
}
