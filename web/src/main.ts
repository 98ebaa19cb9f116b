// SPDX-License-Identifier: Apache-2.0
import { load, UnreadableReport } from "./data";
import { h } from "./dom";
import { Lazy } from "./lazy";
import { Page } from "./page";
import "./style.css";
import { startTheme } from "./theme";

async function start(root: HTMLElement): Promise<void> {
  startTheme();
  try {
    new Page(await load(document), root);
    addEventListener("beforeprint", () => Lazy.everything());
  } catch (problem) {
    const sentence = problem instanceof UnreadableReport ? problem.message : `This report cannot be drawn: ${String(problem)}`;
    root.replaceChildren(h("p", { class: "notice", role: "alert" }, sentence));
    if (!(problem instanceof UnreadableReport)) throw problem;
  }
}

const root = document.getElementById("page");
if (root) void start(root);
