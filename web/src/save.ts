// SPDX-License-Identifier: Apache-2.0
// Figures as files. A saved picture is always light and of one width, whatever screen it was saved from: it is meant
// for papers and slides.
import { svg } from "./dom";
import { columnsFor, type Figure, type LegendEntry, type Panel } from "./figure";
import { markerShape } from "./swatch";
import { kLight, type Theme } from "./palette";

const kWidth = 960;
const kMargin = 20;
const kGap = 18;
const kFont = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

export function picture(figure: Figure, hidden: ReadonlySet<string>): SVGSVGElement {
  const panels = figure.panels(hidden);
  const inner = kWidth - 2 * kMargin;
  const columns = columnsFor(figure, panels.length, inner, kGap);
  const width = Math.floor((inner - kGap * (columns - 1)) / columns);
  const all = svg("svg", { xmlns: "http://www.w3.org/2000/svg", "font-family": kFont, color: kLight.ink });
  all.append(svg("title", {}, figure.title), svg("desc", {}, panels.map((panel) => panel.description).join(" ")));
  const paper = svg("rect", { width: kWidth, fill: kLight.paper });
  all.append(paper, text(kMargin, kMargin + 14, figure.title, 17, 600));
  let top = kMargin + 32;
  top = legendRows(all, figure.legend.filter((entry) => !hidden.has(entry.label)), top);
  for (let first = 0; first < panels.length; first += columns) {
    let tallest = 0;
    panels.slice(first, first + columns).forEach((panel, column) => {
      const left = kMargin + column * (width + kGap);
      tallest = Math.max(tallest, place(all, panel, left, top, width));
    });
    top += tallest + kGap;
  }
  for (const element of [all, paper]) element.setAttribute("height", String(top));
  all.setAttribute("width", String(kWidth));
  all.setAttribute("viewBox", `0 0 ${kWidth} ${top}`);
  return all;
}

// Returns the height taken.
function place(all: SVGSVGElement, panel: Panel, left: number, top: number, width: number): number {
  let down = 0;
  if (panel.title) all.append(text(left, top + (down += 16), panel.title, 13, 600));
  if (panel.note) all.append(text(left, top + (down += 16), panel.note, 12, 400, kLight.soft));
  const drawn = panel.draw({ theme: kLight, width });
  const chart = drawn instanceof SVGSVGElement ? drawn : drawn.querySelector("svg");
  if (!chart) {
    all.append(text(left, top + (down += 20), drawn.textContent ?? "", 12, 400, kLight.soft));
    return down;
  }
  chart.setAttribute("x", String(left));
  chart.setAttribute("y", String(top + down + 4));
  all.append(chart);
  return down + 4 + Number(chart.getAttribute("height"));
}

function legendRows(all: SVGSVGElement, entries: LegendEntry[], top: number): number {
  let left = kMargin;
  for (const entry of entries) {
    // Without a layout to ask, widths are guessed generously from the number of letters.
    const width = 52 + entry.label.length * 7.5;
    if (left + width > kWidth - kMargin && left > kMargin) {
      left = kMargin;
      top += 20;
    }
    all.append(key(entry, left, top + 8, kLight), text(left + 36, top + 12, entry.label, 12, 400));
    left += width;
  }
  return entries.length ? top + 30 : top;
}

function key(entry: LegendEntry, left: number, top: number, theme: Theme): SVGGElement {
  const colour = theme.hues[entry.look.hue];
  const line = { x1: 0, x2: 28, y1: 0, y2: 0, stroke: colour, "stroke-width": 2.2 };
  const marker = svg("g", { transform: "translate(14,0)" }, markerShape(entry.look.marker, colour, theme.paper));
  const dash = entry.look.dash ? { "stroke-dasharray": entry.look.dash } : {};
  return svg("g", { transform: `translate(${left},${top})` }, svg("line", { ...line, ...dash }), marker);
}

function text(x: number, y: number, content: string, size: number, weight: number, fill = kLight.ink): SVGTextElement {
  return svg("text", { x, y, "font-size": size, "font-weight": weight, fill }, content);
}

export function asText(image: SVGSVGElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(image)}\n`;
}

export function saveSvg(figure: Figure, hidden: ReadonlySet<string>): void {
  save(new Blob([asText(picture(figure, hidden))], { type: "image/svg+xml" }), `${figure.id}.svg`);
}

// Twice the size in pixels: sharp on a projector and in print.
export async function savePng(figure: Figure, hidden: ReadonlySet<string>): Promise<void> {
  const drawing = picture(figure, hidden);
  const source = URL.createObjectURL(new Blob([asText(drawing)], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = 2 * kWidth;
    canvas.height = 2 * Number(drawing.getAttribute("height"));
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const file = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
    if (!file) throw new Error("The browser could not make a PNG of this figure; save it as SVG instead.");
    save(file, `${figure.id}.png`);
  } finally {
    URL.revokeObjectURL(source);
  }
}

function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
