// SPDX-License-Identifier: Apache-2.0
// Whether what the page shows is of now.
import { h } from "../dom";
import type { Line } from "./feed";
import type { Parts } from "./parts";

const kTexts: Record<Line, string> = {
  connecting: "Connecting …",
  live: "Live",
  lost: "No connection",
  crowded: "Waiting for a place",
  locked: "Locked",
};

export class Signal {
  readonly pill = h("p", { class: "pill connecting", role: "status" }, kTexts.connecting);
  readonly notice = h("p", { class: "notice offline", role: "alert", hidden: true });
  private since = "";
  private ended = false;

  told(parts: Parts): void {
    this.ended = parts.progress?.state !== undefined && parts.progress.state !== "running";
  }

  line(line: Line, parts: Parts): void {
    if (line === "live") this.since = "";
    else if (!this.since) this.since = new Date().toISOString().slice(11, 19);
    const over = this.ended && line === "lost";
    const text = over ? "Ended" : kTexts[line];
    if (this.pill.textContent !== text) this.pill.textContent = text;
    this.pill.className = `pill ${over ? "ended" : line}`;
    const sentence = over || line === "live" ? "" : this.sentence(line, parts);
    if (this.notice.textContent !== sentence) this.notice.replaceChildren(sentence);
    this.notice.hidden = sentence === "";
  }

  private sentence(line: Line, parts: Parts): string {
    const shown = parts.run ? ` What you see is the state of ${this.since} UTC.` : "";
    if (line === "locked") return `The server wants its token again: reload this page and enter it.${shown}`;
    if (line === "crowded") return `As many pages are open as this server serves. This one goes on by itself when another is closed.${shown}`;
    return `The server has not answered since ${this.since} UTC${parts.run ? "; what you see is of then" : ""}. This page tries again by itself.`;
  }
}
