// SPDX-License-Identifier: Apache-2.0
// How to get the same numbers again: the command, the configuration as written, and as resolved.
import type { Run } from "../data";
import { h } from "../dom";
import { date, plural, seconds } from "../format";

export function reproduceSection(run: Run): HTMLElement {
  const resolved = JSON.stringify(run.configuration, null, 2);
  return h(
    "section",
    { id: "reproduce", "aria-labelledby": "reproduce-title" },
    h("h2", { id: "reproduce-title" }, "Reproduce"),
    factList(run),
    h("p", { class: "lead" }, `With fedstein ${run.version} in ${run.precision} precision, seed ${run.seed}, this gives the same numbers:`),
    code(run.command, "Command"),
    h("details", {}, h("summary", {}, "Configuration (TOML)"), code(run.document, "Configuration")),
    resolved && h("details", {}, h("summary", {}, "Configuration, resolved (JSON)"), code(resolved, "Resolved configuration")),
  );
}

function factList(run: Run): HTMLElement {
  const facts: [string, string][] = [
    ["Started", date(run.started)],
    ["Took", run.finished ? seconds((Date.parse(run.finished) - Date.parse(run.started)) / 1000) : "unfinished"],
    ["Seed", run.seed],
    ["fedstein", `${run.version}, ${run.precision}`],
    ["Machine", machine(run)],
  ];
  return h("dl", { class: "facts" }, facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value || "–"))));
}

function machine({ host }: Run): string {
  const threads = host["threads"] === undefined ? "" : plural(Number(host["threads"]), "thread");
  return [host["processor"], threads, host["system"]].filter(Boolean).join(", ");
}

function code(text: string, label: string): HTMLElement {
  const button = h("button", { type: "button", class: "copy", "aria-label": `Copy: ${label}`, onclick: () => void copy() }, "Copy");
  const block = h("pre", { tabindex: 0, "aria-label": label }, h("code", {}, text));
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      // Without the clipboard (a page from disk, in some browsers) the text is selected, one key from being copied.
      getSelection()?.selectAllChildren(block);
      button.textContent = "Selected";
    }
  };
  return h("div", { class: "code" }, block, button);
}
