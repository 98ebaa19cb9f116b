// SPDX-License-Identifier: Apache-2.0
import { h } from "../dom";
import type { Parts } from "./parts";

// Something that is made when a reader opens it, and not before. `opened`: ids of those that are open now.
export function disclosure(id: string, title: string, opened: ReadonlySet<string>, make: () => HTMLElement): HTMLElement {
  const details = h("details", { id, ontoggle: () => details.open && details.childElementCount === 1 && details.append(make()) }, h("summary", {}, title));
  if (opened.has(id)) details.append(make());
  return details;
}

// A part of the page that is made anew when what it shows has changed, and only then: a reader's selection stays.
export class Section {
  readonly element = h("div", { class: "place", hidden: true });

  constructor(
    private readonly make: (parts: Parts, opened: ReadonlySet<string>) => HTMLElement | null,
    private readonly shows: string[], // names of parts, or how they begin
  ) {}

  draw(parts: Parts, changed: Set<string>): void {
    const concerns = [...changed].some((name) => this.shows.some((own) => name === own || name.startsWith(`${own}.`)));
    if (!concerns) return;
    // What the reader has opened stays open, and what has the focus keeps it.
    const open = new Set([...this.element.querySelectorAll("details[open]")].map((one) => one.id));
    const focus = this.element.contains(document.activeElement) ? document.activeElement?.closest("[id]")?.id : undefined;
    const made = this.make(parts, open);
    for (const details of made?.querySelectorAll("details") ?? []) details.open = open.has(details.id);
    this.element.replaceChildren(...(made ? [made] : []));
    this.element.hidden = made === null;
    if (focus) {
      const again = document.getElementById(focus);
      (again?.matches("details") ? again.querySelector<HTMLElement>("summary") : again)?.focus({ preventScroll: true });
    }
  }
}
