// SPDX-License-Identifier: Apache-2.0
// What a figure is: panels that can draw themselves at any width in either theme, with the numbers they show.
import type { MethodLook } from "./methods";
import type { Theme } from "./palette";

export interface Canvas {
  theme: Theme;
  width: number;
}

// One cell of a table. `value` is the number as it came, `text` how it is printed.
export interface Cell {
  text: string;
  value?: number | null;
}

export interface Table {
  caption: string;
  columns: string[];
  rows: (Cell | string)[][];
}

// What stands under the pointer at one place of the horizontal axis.
export interface Reading {
  label: string;
  text: string;
  look: MethodLook | null;
  y: number; // in the units of the axis, for the mark on the curve
}

export interface HoverPlace {
  x: number;
  title: string;
  readings: Reading[];
}

export interface Panel {
  title: string;
  note?: string;
  description: string; // what a reader who cannot see it is told
  draw(canvas: Canvas): Drawn;
  table(): Table;
  places?: () => HoverPlace[]; // by rising x; a panel with them can be read with pointer and arrow keys
}

export type Drawn = (SVGSVGElement | HTMLElement) & { scale?(name: string): PlotScale | undefined };

export interface PlotScale {
  apply(value: number): number;
  invert?(position: number): number;
}

export interface Figure {
  id: string;
  title: string;
  note: string;
  controls: HTMLElement[];
  legend: LegendEntry[]; // empty: none
  panelWidth: number; // the narrowest that a panel can be read at
  together?: number; // panels that belong side by side; 1 unless told
  hidden?: string[]; // methods that are switched off at first
  panels(hidden: ReadonlySet<string>): Panel[];
  // Given by the card: draws again after a control has changed.
  changed?: () => void;
}

// As many columns as fit, but no more than make full rows: four panels stand two by two, not three and one.
export function columnsFor(figure: Figure, panels: number, room: number, gap: number): number {
  const together = figure.together ?? 1;
  let fit = Math.max(1, Math.min(panels, kMostColumns, Math.floor((room + gap) / (figure.panelWidth + gap))));
  if (fit > together) fit -= fit % together;
  const even = Math.ceil(panels / Math.ceil(panels / fit));
  return Math.max(1, Math.min(fit, Math.ceil(even / together) * together));
}

const kMostColumns = 4;

export interface LegendEntry {
  label: string;
  look: MethodLook;
  fixed?: boolean; // explains, but cannot be switched off
}
