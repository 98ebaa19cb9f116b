// SPDX-License-Identifier: Apache-2.0
// How to get the same numbers again: the command, the configuration as written, and as resolved.
import type { Run } from "../data";
import { h } from "../dom";

export function reproduceSection(run: Run): HTMLElement {
  const resolved = JSON.stringify(run.configuration, null, 2);
  return h(
    "section",
    { id: "reproduce", "aria-labelledby": "reproduce-title" },
    h("h2", { id: "reproduce-title" }, "Reproduce"),
    h("p", { class: "lead" }, `With fedstein ${run.version} in ${run.precision} precision, seed ${run.seed}, this gives the same numbers:`),
    code(run.command, "Command"),
    h("details", {}, h("summary", {}, "Configuration (TOML)"), code(run.document, "Configuration")),
    resolved && h("details", {}, h("summary", {}, "Configuration, resolved (JSON)"), code(resolved, "Resolved configuration")),
  );
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
