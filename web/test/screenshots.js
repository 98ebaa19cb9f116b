// SPDX-License-Identifier: Apache-2.0
// Pictures of every kind of report, at both widths and in both themes, to be looked at: node test/screenshots.js FOLDER
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import * as experiments from "./experiments.js";
import { browser, drawAll, embedded, filled, open } from "./pages.js";

const folder = process.argv[2];
if (!folder) throw new Error("node test/screenshots.js FOLDER [NAME]");
mkdirSync(folder, { recursive: true });
const only = process.argv[3];
const chrome = await browser();
for (const [name, make] of Object.entries(experiments)) {
  if (only && !name.startsWith(only)) continue;
  for (const width of [390, 1400]) {
    for (const dark of [false, true]) {
      const { page, problems } = await open(chrome, filled(embedded(make())), { width, dark });
      await drawAll(page);
      await page.evaluate(() => scrollTo(0, 0));
      const file = (/** @type {string} */ part) => join(folder, `${name}-${width}-${dark ? "dark" : "light"}-${part}.png`);
      await page.screenshot({ path: file("top") });
      for (const part of await page.locator("figure.card, .heading, .warnings, .remarks, #comparison, #claims, #reproduce, #runs").all()) {
        await part.screenshot({ path: file((await part.getAttribute("id")) || ((await part.getAttribute("class")) ?? "")) });
      }
      if (problems.length) console.log(name, width, problems);
      await page.context().close();
    }
  }
}
await chrome.close();
