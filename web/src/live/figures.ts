// SPDX-License-Identifier: Apache-2.0
// The report's figures over a run that goes on.
import { Card } from "../card";
import type { Run } from "../data";
import { h } from "../dom";
import type { Figure } from "../figure";
import { figuresOf } from "../figures/choose";
import { looksOf } from "../methods";
import { carryOver } from "./carry_over";

// Those that say something before the end. A sweep or a budget compares methods that are done.
const kLive = /^(rounds|bytes|reliability|particles)(-\d+)?$/;
const kLongestWait = 8000; // ms that a figure under the pointer stands still

export class Figures {
  readonly element = h("section", { id: "figures", "aria-labelledby": "figures-title", hidden: true });
  private cards: Card[] = [];
  private readonly held = new Map<Card, number>(); // since when a reader keeps it from being drawn

  constructor(private readonly run: Run) {}

  // `other`: other methods or metrics than before.
  draw(changed: Set<string>, other: boolean): void {
    if (other || this.cards.length === 0) this.make();
    else if ([...changed].some((name) => name.startsWith("series.") || name.startsWith("reliability."))) this.refresh();
  }

  private make(): void {
    const before = this.cards;
    for (const card of before) card.close();
    this.held.clear();
    const figures = this.run.series.some((series) => series.rounds.length > 0) ? chosen(this.run) : [];
    this.cards = figures.map((figure) => new Card(figure));
    this.element.hidden = this.cards.length === 0;
    const title = h("h2", { id: "figures-title" }, "Figures");
    this.element.replaceChildren(title, ...this.cards.map((card) => card.element));
    for (const card of this.cards) {
      const old = before.find((one) => one.element.id === card.element.id);
      if (old) carryOver(old.element, card.element);
    }
  }

  // A figure that somebody reads with pointer or keyboard stands still for a moment.
  private refresh(): void {
    const now = Date.now();
    for (const card of this.cards) {
      const read = card.element.querySelector(".frame:hover, .frame:focus") !== null;
      const since = this.held.get(card) ?? now;
      if (read && now - since < kLongestWait) {
        this.held.set(card, since);
        continue;
      }
      this.held.delete(card);
      card.refresh();
    }
  }
}

function chosen(run: Run): Figure[] {
  const { asked, added } = figuresOf(run, looksOf([run]));
  return [...asked, ...added].filter((figure) => kLive.test(figure.id));
}
