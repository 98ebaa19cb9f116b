// SPDX-License-Identifier: Apache-2.0
// Pictures of a live page that is being served, at both widths and in both themes, to be looked at:
// node test/live_screenshots.js URL FOLDER NAME
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { browser } from "./pages.js";

const [url, folder, name] = process.argv.slice(2);
if (!url || !folder || !name) throw new Error("node test/live_screenshots.js URL FOLDER NAME");
mkdirSync(folder, { recursive: true });
const chrome = await browser();
for (const width of [1400, 390]) {
  for (const dark of [false, true]) {
    const context = await chrome.newContext({ viewport: { width, height: 900 }, colorScheme: dark ? "dark" : "light" });
    const page = await context.newPage();
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && console.log(message.text()));
    page.on("pageerror", (error) => console.log(String(error)));
    await page.goto(url);
    await page.waitForSelector(".heading");
    for (const panel of await page.locator(".panel").all()) await panel.scrollIntoViewIfNeeded();
    await page.evaluate(() => scrollTo(0, 0));
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(folder, `${name}-${width}-${dark ? "dark" : "light"}.png`), fullPage: true });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    if (wide) console.log(`${width}: wider than the screen`);
    await context.close();
  }
}
await chrome.close();
