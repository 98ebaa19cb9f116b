// SPDX-License-Identifier: Apache-2.0
// A figure on the page: caption, controls, legend, panels in a grid, and below them its numbers and files.
import { h } from "./dom";
import { columnsFor, type Figure, type Panel } from "./figure";
import { attachHover } from "./hover";
import { Lazy } from "./lazy";
import { Legend } from "./legend";
import { savePng, saveSvg } from "./save";
import { tableElement } from "./table";
import { onThemeChange, theme } from "./theme";

const kGap = 24;
const kFirstPanels = 12;

interface Slot {
  element: HTMLElement;
  panel: Panel;
  lazy: Lazy;
}

export class Card {
  readonly element: HTMLElement;
  private readonly legend: Legend;
  private readonly grid = h("div", { class: "panels" });
  private readonly more = h("button", { type: "button", class: "more", hidden: true, onclick: () => this.showAll() });
  private readonly numbers = h("div", { class: "numbers", hidden: true });
  private readonly sizes = new ResizeObserver(() => this.fit());
  private readonly stopListening: () => void;
  private slots: Slot[] = [];
  private width = 0;
  private all = false;

  constructor(private readonly figure: Figure) {
    this.legend = new Legend(figure.legend, figure.hidden ?? [], () => this.refresh());
    figure.changed = () => this.refresh();
    this.element = h(
      "figure",
      { class: "card", id: figure.id, "aria-labelledby": `${figure.id}-title` },
      h("figcaption", {}, h("h3", { id: `${figure.id}-title` }, figure.title), figure.note && h("p", {}, figure.note)),
      figure.controls.length > 0 && h("div", { class: "controls" }, figure.controls),
      figure.legend.length > 1 && this.legend.element,
      this.grid,
      this.more,
      this.footer(),
      this.numbers,
    );
    this.stopListening = onThemeChange(() => {
      this.legend.draw();
      this.redraw();
    });
    this.sizes.observe(this.grid);
    this.refresh();
  }

  // The card leaves the page.
  close(): void {
    this.stopListening();
    this.sizes.disconnect();
    for (const slot of this.slots) slot.lazy.close();
  }

  private footer(): HTMLElement {
    const tableButton = h(
      "button",
      { type: "button", "aria-expanded": "false", "aria-label": `Numbers of “${this.figure.title}” as a table`, onclick: () => this.toggleNumbers(tableButton) },
      "Table",
    );
    const saveButton = (kind: string, save: () => void): HTMLElement =>
      h("button", { type: "button", "aria-label": `Save “${this.figure.title}” as ${kind}`, onclick: save }, kind);
    return h(
      "div",
      { class: "footer" },
      tableButton,
      saveButton("SVG", () => saveSvg(this.figure, this.legend.hidden)),
      saveButton("PNG", () => void savePng(this.figure, this.legend.hidden)),
    );
  }

  private toggleNumbers(button: HTMLElement): void {
    this.numbers.hidden = !this.numbers.hidden;
    button.setAttribute("aria-expanded", String(!this.numbers.hidden));
    this.fillNumbers();
  }

  private fillNumbers(): void {
    const shown = this.numbers.hidden ? [] : this.slots.map((slot) => tableElement(slot.panel.table()));
    this.numbers.replaceChildren(...shown);
  }

  private showAll(): void {
    this.all = true;
    this.refresh();
  }

  // After a control or the legend has changed.
  refresh(): void {
    const panels = this.figure.panels(this.legend.hidden);
    const shown = this.all ? panels : panels.slice(0, kFirstPanels);
    this.more.hidden = shown.length === panels.length;
    this.more.textContent = `Show all ${panels.length} panels`;
    if (shown.length === this.slots.length) {
      shown.forEach((panel, at) => (this.slots[at]!.panel = panel));
      this.redraw();
    } else {
      this.rebuild(shown);
    }
    this.fillNumbers();
  }

  private rebuild(panels: Panel[]): void {
    for (const slot of this.slots) slot.lazy.close();
    this.slots = panels.map((panel) => {
      const element = h("div", { class: "panel" });
      const slot: Slot = { element, panel, lazy: new Lazy(element, () => this.draw(slot)) };
      return slot;
    });
    this.grid.replaceChildren(...this.slots.map((slot) => slot.element));
    this.layOut();
  }

  private layOut(): void {
    const room = this.width || 640;
    this.grid.style.setProperty("--columns", String(columnsFor(this.figure, this.slots.length, room, kGap)));
  }

  private fit(): void {
    const width = this.grid.clientWidth;
    if (width === this.width || width === 0) return;
    this.width = width;
    this.layOut();
    this.redraw();
  }

  private redraw(): void {
    for (const slot of this.slots) slot.lazy.refresh();
  }

  private draw(slot: Slot): void {
    const { panel, element } = slot;
    const width = Math.floor(element.clientWidth);
    if (width === 0) return;
    const chart = panel.draw({ theme: theme(), width });
    const readable = Boolean(panel.places);
    const frame = h(
      "div",
      { class: "frame", tabindex: readable ? 0 : undefined, role: "group", "aria-label": readable ? `${panel.title || this.figure.title}: arrow keys read the values` : undefined },
      chart,
    );
    const heading = panel.title ? h("h4", {}, panel.title) : null;
    const note = panel.note ? h("p", { class: "note" }, panel.note) : null;
    const focused = element.contains(document.activeElement);
    element.classList.add("drawn");
    element.replaceChildren(...[heading, note, frame].filter((part) => part !== null));
    if (focused && readable) frame.focus();
    if (panel.places) attachHover(frame, chart, panel.places());
  }
}
