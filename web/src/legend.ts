// SPDX-License-Identifier: Apache-2.0
// The methods of a figure, each a switch.
import { h } from "./dom";
import type { LegendEntry } from "./figure";
import { swatch } from "./swatch";
import { theme } from "./theme";

export class Legend {
  readonly element: HTMLElement;
  readonly hidden: Set<string>;

  constructor(
    private readonly entries: LegendEntry[],
    hidden: string[],
    private readonly changed: () => void,
  ) {
    this.hidden = new Set(hidden);
    this.element = h("div", { class: "legend", role: "group", "aria-label": "Methods shown" });
    this.draw();
  }

  draw(): void {
    const switches = this.entries.map((entry) => this.entry(entry));
    const toggled = this.entries.filter((entry) => !entry.fixed);
    // With many methods, looking at one alone would take a click for each of the others.
    const all = toggled.length > 4 && this.allButton(toggled);
    this.element.replaceChildren(...switches, ...(all ? [all] : []));
  }

  private entry(entry: LegendEntry): HTMLElement {
    if (entry.fixed) return h("span", { class: "key" }, swatch(entry.look, theme()), entry.label);
    const button = h(
      "button",
      {
        type: "button",
        class: "key",
        "aria-pressed": String(!this.hidden.has(entry.label)),
        onclick: () => {
          if (!this.hidden.delete(entry.label)) this.hidden.add(entry.label);
          button.setAttribute("aria-pressed", String(!this.hidden.has(entry.label)));
          this.changed();
        },
      },
      swatch(entry.look, theme()),
      entry.label,
    );
    return button;
  }

  private allButton(toggled: LegendEntry[]): HTMLElement {
    return h(
      "button",
      {
        type: "button",
        class: "quiet",
        onclick: () => {
          const hide = this.hidden.size === 0;
          this.hidden.clear();
          if (hide) for (const entry of toggled) this.hidden.add(entry.label);
          this.draw();
          this.changed();
        },
      },
      "all or none",
    );
  }
}
