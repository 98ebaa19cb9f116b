// SPDX-License-Identifier: Apache-2.0
// Reports that the program itself wrote: quick experiments whose page must show what the store holds. FEDSTEIN_PROGRAM
// names the program; FEDSTEIN_EXPERIMENTS the experiments, where more is wanted than the toys, which need no data.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { browser, drawAll, open } from "./pages.js";

const program = process.env["FEDSTEIN_PROGRAM"];
const wanted = (process.env["FEDSTEIN_EXPERIMENTS"] ?? "toy-1d toy-2d feature-skew").split(" ");
const folder = mkdtempSync(join(tmpdir(), "fedstein-program-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const skip = program ? false : "FEDSTEIN_PROGRAM names no program to test";

/** @param {string[]} words */
const fedstein = (...words) => execFileSync(program ?? "", words, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });

const chrome = program ? await browser() : null;
after(() => chrome?.close());

for (const name of wanted) {
  test(`${name}: the page shows what the store holds`, { skip }, async () => {
    assert.ok(chrome);
    fedstein("reproduce", name, "--quick");
    fedstein("report", `runs/${name}-quick`, "--check");
    const rows = rowsOf(fedstein("export", `runs/${name}-quick`, "--format", "csv"));
    const html = readFileSync(join(folder, "runs", `${name}-quick`, "report.html"), "utf8");
    assert.ok(html.length < 5e6, `${html.length} bytes`);
    for (const width of [1400, 390]) {
      const { page, problems } = await open(chrome, html, { width, dark: width === 390 });
      await drawAll(page);
      assert.deepEqual(problems, []);
      assert.ok((await page.locator("figure.card").count()) >= 2);
      for (const panel of await page.locator("figure.card .panel").all()) {
        assert.ok(!/no values to show/.test((await panel.locator("svg[role=img]").getAttribute("aria-label")) ?? ""));
      }
      await checkComparison(page, rows);
      if ((await page.locator("figure.card#rounds").count()) > 0) await checkCurves(page, rows);
      await page.context().close();
    }
  });
}

/** Lines of the exported table, by column. @param {string} csv */
function rowsOf(csv) {
  const [head = "", ...lines] = csv.trim().split(/\r?\n/);
  const columns = cells(head);
  return lines.map((line) => Object.fromEntries(cells(line).map((cell, at) => [columns[at] ?? "", cell])));
}

/** Quoted cells may hold commas. @param {string} line */
const cells = (line) => [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].slice(0, -1).map(([, cell = ""]) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell));

/**
 * The comparison's first figure against the mean over the store's last judged rounds.
 * @param {import("playwright-core").Page} page
 * @param {Record<string, string>[]} rows
 */
async function checkComparison(page, rows) {
  const lines = await page
    .locator("#comparison .figures tr.method")
    .evaluateAll((all) => all.map((row) => [row.closest("tbody")?.dataset["case"] ?? "", ...[...row.children].map((cell) => (/** @type {HTMLElement} */ (cell).dataset["value"] ?? cell.textContent ?? ""))]));
  assert.ok(lines.length > 0, "there is no comparison");
  const several = new Set(rows.map((row) => row["case"])).size > 1;
  const metric = ["accuracy", "rmse", "log_likelihood", "kl"].find((name) => rows.some((row) => row[name])) ?? "";
  for (const line of lines) {
    const mine = rows.filter((row) => row["algorithm"]?.toLowerCase() === line[1]?.toLowerCase() && (!several || row["case"] === line[0]) && row[metric]);
    const last = Math.max(...mine.map((row) => Number(row["round"])));
    const final = mine.filter((row) => Number(row["round"]) === last).map((row) => Number(row[metric]));
    const mean = final.reduce((sum, value) => sum + value / final.length, 0);
    const shown = Number(line[2]);
    assert.ok(final.length > 0 && Math.abs(shown - mean) <= 1e-5 * Math.abs(mean) + 1e-12, `${line.slice(0, 3)}: ${shown}, store ${mean}`);
  }
}

/**
 * Every value of the first line figure against the mean over the store's trials.
 * @param {import("playwright-core").Page} page
 * @param {Record<string, string>[]} rows
 */
async function checkCurves(page, rows) {
  const card = page.locator("figure.card#rounds");
  const asked = await card.getByLabel("Metric").inputValue();
  if (!asked) await card.getByLabel("Metric").selectOption("log_likelihood"); // two metrics side by side
  const metric = asked || "log_likelihood";
  await card.getByRole("button", { name: /as a table$/ }).click();
  const tables = await card.locator(".numbers table").evaluateAll((all) =>
    all.map((table) => ({
      title: table.querySelector("caption")?.textContent ?? "",
      methods: [...table.querySelectorAll("thead th")].slice(1).map((cell) => cell.textContent ?? ""),
      lines: [...table.querySelectorAll("tbody tr")].map((row) => [...row.children].map((cell, at) => Number(at === 0 ? cell.textContent : (/** @type {HTMLElement} */ (cell).dataset["value"] ?? "NaN")))),
    })),
  );
  const cases = [...new Set(rows.map((row) => row["case"] ?? ""))];
  let compared = 0;
  for (const { title, methods, lines } of tables) {
    const setting = cases.length === 1 ? cases[0] : cases.find((name) => title.startsWith(`${name} · `));
    for (const [round, ...values] of lines) {
      values.forEach((value, at) => {
        const mine = rows.filter((row) => row["case"] === setting && row["algorithm"]?.toLowerCase() === methods[at]?.toLowerCase() && Number(row["round"]) === round && row[metric]);
        if (Number.isNaN(value) && mine.length === 0) return; // a method that was not judged in this round
        const mean = mine.reduce((sum, row) => sum + Number(row[metric]) / mine.length, 0);
        assert.ok(mine.length > 0 && Math.abs(value - mean) <= 1e-5 * Math.abs(mean) + 1e-12, `${title}, ${methods[at]}, round ${round}: ${value}, store ${mean}`);
        ++compared;
      });
    }
  }
  assert.ok(compared > 3, `${compared} values compared`);
}
