// SPDX-License-Identifier: Apache-2.0
// The live page: what is running, who takes part, and the report's figures as they grow.
import { h } from "../dom";
import { themeSwitch } from "../theme_switch";
import { agentsSection } from "./agents";
import { eventsSection } from "./events";
import { Feed, type Heard, type Line } from "./feed";
import { Figures } from "./figures";
import { heading } from "./heading";
import { jobsSection } from "./jobs";
import { LiveRun } from "./live_run";
import { Parts } from "./parts";
import { Section } from "./section";
import { Signal } from "./signal";
import { troubles } from "./troubles";

export class LivePage {
  private readonly parts = new Parts();
  private readonly run = new LiveRun();
  private readonly signal = new Signal();
  private readonly figures = new Figures(this.run.run);
  private readonly main: HTMLElement;
  private readonly sections: Section[];
  private readonly pending = new Set<string>();
  private otherFigures = false;
  private drawing = 0;

  constructor(root: HTMLElement) {
    this.sections = [
      new Section(heading, ["run", "progress", "federation", "agent", "cases", "series"]),
      new Section(troubles, ["run", "trouble", "federation", "agent", "jobs"]),
      new Section(agentsSection, ["agent", "run"]),
      new Section(jobsSection, ["jobs", "series", "cases", "run"]),
    ];
    const events = new Section(eventsSection, ["events", "run", "federation"]);
    this.main = h("main", { id: "content", hidden: true }, this.sections.map((one) => one.element), this.figures.element, events.element);
    this.sections.push(events);
    root.replaceChildren(
      h("a", { class: "skip", href: "#content" }, "Skip to the content"),
      h("div", { class: "bar" }, h("p", { class: "brand" }, "fedstein", h("span", {}, " live")), this.signal.pill, themeSwitch()),
      this.signal.notice,
      this.main,
    );
    new Feed((heard) => this.hear(heard), (line) => this.line(line));
    document.addEventListener("visibilitychange", () => this.drawSoon());
    // "12 min ago" grows old by itself.
    setInterval(() => {
      this.pending.add("agent");
      this.drawSoon();
    }, 15_000);
  }

  private hear({ told, whole }: Heard): void {
    const changed = this.parts.take(told, whole);
    if (this.run.update(this.parts, changed)) this.otherFigures = true;
    for (const name of changed) this.pending.add(name);
    this.signal.told(this.parts);
    this.drawSoon();
  }

  private line(line: Line): void {
    this.signal.line(line, this.parts);
  }

  // A page that nobody sees is not drawn: it takes everything in, and is drawn once when it is looked at again.
  private drawSoon(): void {
    if (document.hidden || this.drawing !== 0 || this.pending.size === 0) return;
    this.drawing = requestAnimationFrame(() => {
      this.drawing = 0;
      this.draw();
    });
  }

  private draw(): void {
    const changed = new Set(this.pending);
    this.pending.clear();
    this.main.hidden = false;
    for (const section of this.sections) section.draw(this.parts, changed);
    this.figures.draw(changed, this.otherFigures);
    this.otherFigures = false;
    const { run, progress, federation } = this.parts;
    const where = federation ? `Round ${federation.round} of ${federation.rounds}` : progress ? `${Math.floor((100 * progress.rounds_done) / Math.max(1, progress.rounds))} %` : "";
    document.title = [where, run?.title || run?.name, "fedstein"].filter(Boolean).join(" · ");
  }
}
