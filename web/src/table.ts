// SPDX-License-Identifier: Apache-2.0
import { h, type Child } from "./dom";
import type { Cell, Table } from "./figure";
import { number, plusMinus } from "./format";
import type { Value } from "./data";

export function valueCell(value: Value | undefined, text?: string): Cell {
  return { text: text ?? number(value), value: value ?? null };
}

export function averageCell(mean: Value | undefined, error: Value | undefined): Cell {
  return { text: plusMinus(mean, error), value: mean ?? null };
}

export interface TableForm {
  label?: string; // for readers who do not see it; otherwise the caption
  // Never wider than its place: on a phone each row becomes a card. Otherwise the table scrolls in a frame of its own.
  stack?: boolean;
}

// The first column names the row.
export function tableElement(table: Table, { label = table.caption || "Numbers", stack = false }: TableForm = {}): HTMLElement {
  const head = h("tr", {}, table.columns.map((column) => h("th", { scope: "col" }, column)));
  const body = table.rows.map((row) =>
    h("tr", {}, row.map((cell, at) => (at === 0 ? h("th", { scope: "row" }, textOf(cell)) : cellElement(cell, stack ? table.columns[at] : undefined)))),
  );
  const inner = h("table", {}, table.caption ? h("caption", {}, table.caption) : null, h("thead", {}, head), h("tbody", {}, body));
  return h("div", stack ? { class: "stack", role: "region", "aria-label": label } : { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, inner);
}

const textOf = (cell: Cell | string): string => (typeof cell === "string" ? cell : cell.text);

// `column` stands before the cell where rows are cards.
export function cellElement(cell: Cell | string, column?: string): HTMLElement {
  if (typeof cell === "string") return h("td", { "data-column": column }, h("span", {}, cell));
  return h("td", { class: "number", "data-column": column, "data-value": cell.value === null ? undefined : cell.value }, h("span", {}, breakable(cell.text)));
}

// Where there is no room beside the mean, its error goes below it.
function breakable(text: string): Child[] {
  const [mean, error] = text.split(" ± ");
  return error === undefined ? [text] : [h("span", { class: "whole" }, mean), " ", h("span", { class: "whole error" }, `± ${error}`)];
}
