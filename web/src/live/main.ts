// SPDX-License-Identifier: Apache-2.0
import "../style/page.css";
import "../style/controls.css";
import "../style/figures.css";
import "../style/tables.css";
import "../style/live.css";
import "../style/screens.css";
import { startTheme } from "../theme";
import { LivePage } from "./page";

const root = document.getElementById("page");
if (root) {
  startTheme();
  new LivePage(root);
}
