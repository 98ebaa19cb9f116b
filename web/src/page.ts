// SPDX-License-Identifier: Apache-2.0
// The page: a bar to get about, the comparison of runs where there are several, and one run in full.
import { Card } from "./card";
import type { Report, Run } from "./data";
import { choice, h } from "./dom";
import type { Figure } from "./figure";
import { figuresOf } from "./figures/choose";
import { runCurvesFigure, runNames, runResultsFigure } from "./figures/runs";
import { date } from "./format";
import { looksOf, type MethodLook } from "./methods";
import { reproduceSection } from "./text/reproduce";
import { runsTable } from "./text/runs";
import { runHeading, warnings } from "./text/summary";
import { claimsSection, comparisonSection } from "./text/tables";
import { themeSwitch } from "./theme_switch";

export class Page {
  private readonly looks: Map<string, MethodLook>;
  private readonly main = h("main", { id: "content" });
  private readonly links = h("nav", { "aria-label": "Sections" });
  private readonly select: HTMLElement | null;
  private cards: Card[] = [];

  constructor(
    private readonly report: Report,
    root: HTMLElement,
  ) {
    this.looks = looksOf(report.runs);
    const several = report.runs.length > 1;
    document.title = several ? `${report.runs.length} runs · fedstein` : `${report.runs[0]!.title || report.runs[0]!.name} · fedstein`;
    this.select = several ? this.runChoice() : null;
    root.replaceChildren(
      h("a", { class: "skip", href: "#content" }, "Skip to the content"),
      h("div", { class: "bar" }, h("p", { class: "brand" }, "fedstein", h("span", {}, " report")), this.select, this.links, themeSwitch()),
      this.main,
      h("footer", {}, `Written by fedstein ${report.version} on ${date(report.generated)}.`),
    );
    this.show(several ? -1 : 0);
  }

  private runChoice(): HTMLElement {
    const options = [{ value: "-1", text: "All runs" }, ...runNames(this.report.runs).map((text, at) => ({ value: String(at), text }))];
    return choice("Run", options, "-1", (at) => this.show(Number(at)));
  }

  // -1: all runs side by side.
  private show(at: number): void {
    for (const card of this.cards) card.close();
    this.cards = [];
    const run = this.report.runs[at];
    this.main.replaceChildren(...(run ? this.oneRun(run) : this.allRuns()));
    const sections = [...this.main.querySelectorAll<HTMLElement>(":scope > section[id]")];
    this.links.replaceChildren(...sections.map((section) => h("a", { href: `#${section.id}` }, section.querySelector("h2")?.textContent ?? "")));
  }

  private open(at: number): void {
    const select = this.select?.querySelector("select");
    if (select) select.value = String(at);
    this.show(at);
    scrollTo({ top: 0 });
  }

  private allRuns(): HTMLElement[] {
    const { runs } = this.report;
    return [
      h("header", { class: "heading" }, h("p", { class: "eyebrow" }, "Comparison of runs"), h("h2", {}, `${runs.length} runs`)),
      section("runs", "Runs", runsTable(runs, (at) => this.open(at))),
      this.figureSection("figures", "Figures", [runResultsFigure(runs, this.looks), runCurvesFigure(runs, this.looks)])!,
    ];
  }

  private oneRun(run: Run): HTMLElement[] {
    const { asked, added } = figuresOf(run, this.looks);
    const nothing = asked.length + added.length === 0 && h("p", { class: "notice" }, "No round has been recorded yet: there is nothing to draw.");
    const parts = [
      runHeading(run),
      warnings(run),
      nothing || null,
      comparisonSection(run),
      claimsSection(run.claims),
      this.figureSection("figures", "Figures", asked),
      this.figureSection(asked.length ? "more" : "figures", asked.length ? "More from the same data" : "Figures", added),
      reproduceSection(run),
    ];
    return parts.filter((part) => part !== null);
  }

  private figureSection(id: string, title: string, figures: Figure[]): HTMLElement | null {
    if (figures.length === 0) return null;
    const cards = figures.map((figure) => new Card(figure));
    this.cards.push(...cards);
    return section(id, title, ...cards.map((card) => card.element));
  }
}

function section(id: string, title: string, ...content: HTMLElement[]): HTMLElement {
  return h("section", { id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title), content);
}
