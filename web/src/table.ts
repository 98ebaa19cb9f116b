// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom";
import type { Cell, Table } from "./figure";
import { number, plusMinus } from "./format";
import type { Value } from "./data";

export function valueCell(value: Value | undefined, text?: string): Cell {
  return { text: text ?? number(value), value: value ?? null };
}

export function averageCell(mean: Value | undefined, error: Value | undefined): Cell {
  return { text: plusMinus(mean, error), value: mean ?? null };
}

// The first column names the row.
export function tableElement(table: Table): HTMLElement {
  const head = h("tr", {}, table.columns.map((column) => h("th", { scope: "col" }, column)));
  const body = table.rows.map((row) =>
    h("tr", {}, row.map((cell, at) => (at === 0 ? h("th", { scope: "row" }, textOf(cell)) : cellElement(cell)))),
  );
  const label = table.caption || "Numbers";
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": label },
    h("table", {}, table.caption ? h("caption", {}, table.caption) : null, h("thead", {}, head), h("tbody", {}, body)),
  );
}

const textOf = (cell: Cell | string): string => (typeof cell === "string" ? cell : cell.text);

function cellElement(cell: Cell | string): HTMLElement {
  if (typeof cell === "string") return h("td", {}, cell);
  return h("td", { class: "number", "data-value": cell.value === null ? undefined : cell.value }, cell.text);
}
