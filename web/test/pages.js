// SPDX-License-Identifier: Apache-2.0
// Fills the built page with data, as the program does, and opens it in Debian's Chromium from disk.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
const template = readFileSync(join(here, "../dist/report.html"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "fedstein-report-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** JSON that cannot end the script element it stands in. @param {unknown} data */
export function embedded(data) {
  return JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** @param {string} text */
export function filled(text) {
  return template.replace("__FEDSTEIN_DATA__", () => text);
}

/** @param {unknown} data */
export function packed(data) {
  const text = gzipSync(Buffer.from(JSON.stringify(data))).toString("base64");
  return template.replace('id="fedstein-data">__FEDSTEIN_DATA__', () => `id="fedstein-data" data-encoding="gzip">${text}`);
}

let made = 0;

/** Writes a page and gives its address. @param {string} html */
export function onDisk(html) {
  const path = join(folder, `report-${++made}.html`);
  writeFileSync(path, html);
  return pathToFileURL(path).href;
}

export async function browser() {
  const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
  if (!existsSync(executablePath)) throw new Error(`There is no browser at ${executablePath}: install chromium, or name one in CHROMIUM.`);
  return chromium.launch({
    executablePath,
    headless: true,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}

/**
 * A page that remembers what went wrong in it.
 * @param {import("playwright-core").Browser} chrome
 * @param {string} html
 * @param {{width?: number, height?: number, dark?: boolean}} screen
 */
export async function open(chrome, html, { width = 1400, height = 900, dark = false } = {}) {
  const context = await chrome.newContext({ viewport: { width, height }, colorScheme: dark ? "dark" : "light", acceptDownloads: true });
  const page = await context.newPage();
  /** @type {string[]} */
  const problems = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => request.url().startsWith("http") && problems.push(`fetched ${request.url()}`));
  await page.goto(onDisk(html));
  await page.waitForSelector("main section, .notice");
  return { page, problems };
}

/** Scrolls down once, so that every panel has been drawn. @param {import("playwright-core").Page} page */
export async function drawAll(page) {
  for (const panel of await page.locator(".panel").all()) {
    await panel.scrollIntoViewIfNeeded();
    await panel.locator("svg[role=img]").waitFor();
  }
}
