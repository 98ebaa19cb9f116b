// SPDX-License-Identifier: Apache-2.0
// Every figure of every kind of report: the right number of series, the data's own values, and nothing on the console.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import * as experiments from "./experiments.js";
import { browser, drawAll, embedded, filled, open } from "./pages.js";

const chrome = await browser();
after(() => chrome.close());

/** @param {import("../src/data").Report} report @param {Parameters<typeof open>[2]} [screen] */
const show = (report, screen) => open(chrome, filled(embedded(report)), screen);

/** @param {import("../src/data").Report} report */
const first = (report) => /** @type {import("../src/data").Run} */ (report.runs[0]);

/** What is drawn: figure, panels, series in each. @param {import("playwright-core").Page} page */
const drawn = (page) =>
  page.$$eval("figure.card", (cards) =>
    Object.fromEntries(
      // Which bars a budget has depends on its target: there, panels are counted.
      cards.map((card) => [card.id, [...card.querySelectorAll(".panel")].map((panel) => panel.querySelectorAll(card.id === "budget" ? "svg[role=img]" : ".series").length)]),
    ),
  );

/** @param {import("playwright-core").Page} page @param {string} id */
async function tables(page, id) {
  await page.locator(`#${id} .footer button`, { hasText: "Table" }).click();
  return page.$$eval(`#${id} .numbers table`, (all) =>
    all.map((table) => ({
      columns: [...table.querySelectorAll("thead th")].map((cell) => cell.textContent ?? ""),
      rows: [...table.querySelectorAll("tbody tr")].map((row) => [...row.children].map((cell) => (cell instanceof HTMLElement && cell.dataset["value"] !== undefined ? Number(cell.dataset["value"]) : cell.textContent))),
    })),
  );
}

/** Tables that should fit their place and do not: those that scroll, and cells that reach beyond. @param {import("playwright-core").Page} page */
const cutTables = (page) =>
  page.$$eval(".stack", (all) =>
    all.flatMap((table) => {
      const right = table.getBoundingClientRect().right;
      const beyond = [...table.querySelectorAll("th, td, td span")].filter((cell) => cell.getBoundingClientRect().right > right + 0.5 && getComputedStyle(cell.closest("thead") ?? cell).position !== "absolute");
      const scrolls = table.scrollWidth > table.clientWidth;
      return scrolls || beyond.length > 0 ? [`${table.getAttribute("aria-label")}: ${table.scrollWidth} in ${table.clientWidth}, ${beyond[0]?.textContent}`] : [];
    }),
  );

/** Names at curves' ends that lie on each other or leave their picture. @param {import("playwright-core").Page} page */
const tangledLabels = (page) =>
  page.$$eval("svg[role=img]", (all) =>
    all.flatMap((picture) => {
      const frame = picture.getBoundingClientRect();
      const boxes = [...picture.querySelectorAll(".end-label")].map((label) => ({ text: label.textContent, box: label.getBoundingClientRect() }));
      return boxes.flatMap(({ text, box }, at) => {
        const outside = box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
        // A line's box is taller than its letters: a pixel or two of it may be shared.
        const met = boxes.slice(at + 1).find((other) => box.bottom - other.box.top > 2.5 && other.box.bottom - box.top > 2.5);
        return outside ? [`${text} leaves the picture`] : met ? [`${text} lies on ${met.text}`] : [];
      });
    }),
  );

// Lines, bars and so on per panel. A mark is one group in each facet: nine datasets, nine groups of bars.
const kExpected = {
  roundsReport: { rounds: [6, 6, 6, 6], bytes: [6, 6, 6, 6], particles: Array(8).fill(6), budget: [1, 1, 1, 1], agents: [1] },
  toy1dReport: { "posterior-1d": [1], rounds: [1], bytes: [1], particles: [1, 1], budget: [1], agents: [1] },
  toy2dReport: { "posterior-2d": [1, 1, 1, 1], rounds: [4], bytes: [4], budget: [1], agents: [1] },
  sweepReport: { sweep: [3], "sweep-2": [3], rounds: [3, 3, ...Array(10).fill(2)], bytes: [3, 2, 2, 2, 2, 2], budget: Array(6).fill(1), agents: [1] },
  nineSetsReport: { bars: [9], rounds: Array(12).fill(4), bytes: Array(9).fill(4), budget: Array(9).fill(1), agents: [1] },
  reliabilityReport: { reliability: Array(12).fill(1), sweep: [3], rounds: Array(8).fill(3), bytes: [3, 3, 3, 3], budget: Array(4).fill(1), agents: [1] },
  abstentionReport: { abstention: [3, 3], rounds: [3, 3], bytes: [3, 3], budget: [1, 1], agents: [1] },
  eightReport: { rounds: [8, 8], bytes: [8], reliability: Array(8).fill(1), abstention: [8], coefficients: [8], budget: [1], agents: [1] },
  regressionReport: { rounds: [2, 2], bytes: [2], predicted: [1, 1], coverage: [2], spread: [1], budget: [1], agents: [1] },
  aloneReport: { rounds: [1, 1], bytes: [1], coefficients: [1], budget: [1], agents: [1] },
  twoCasesReport: { rounds: [3, 3, 3, 3], bytes: [3, 3], budget: [1, 1], agents: [1] },
  mapReport: { map: Array(8).fill(1), rounds: [4, 4], bytes: [4], budget: [1], agents: [1] },
  bigReport: { "runs-results": [10], "runs-curves": [50] },
  sparseReport: { "runs-results": [1], "runs-curves": [1] },
};

for (const [name, expected] of Object.entries(kExpected)) {
  for (const [width, dark] of /** @type {[number, boolean][]} */ ([[1400, false], [390, true]])) {
    test(`${name} at ${width} px, ${dark ? "dark" : "light"}`, async () => {
      const report = /** @type {Record<string, () => import("../src/data").Report>} */ (experiments)[name]?.();
      assert.ok(report);
      const { page, problems } = await show(report, { width, dark });
      await drawAll(page);
      const found = await drawn(page);
    
      assert.deepEqual(found, expected);
      assert.deepEqual(problems, []);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `the page is ${wide} px wider than the screen`);
      assert.deepEqual(await cutTables(page), []);
      assert.deepEqual(await tangledLabels(page), []);
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(ground, dark ? "rgb(13, 18, 24)" : "rgb(245, 247, 250)");
      await page.context().close();
    });
  }
}

test("a line figure's table holds the data's means, and its chart tells where they end", async () => {
  const report = experiments.roundsReport();
  const { page } = await show(report);
  const shown = await tables(page, "rounds");
  assert.equal(shown.length, 4);
  shown.forEach((table, at) => {
    const series = first(report).series.filter((one) => one.case === at);
    assert.deepEqual(table.columns, ["Round", ...series.map((one) => one.algorithm)]);
    assert.equal(table.rows.length, series[0]?.rounds.length);
    table.rows.forEach((row, round) => assert.deepEqual(row.slice(1), series.map((one) => one.figures["accuracy"]?.mean[round])));
  });
  await drawAll(page);
  const told = await page.locator("#rounds svg[role=img]").nth(3).getAttribute("aria-label");
  const last = first(report).series.find((one) => one.case === 3 && one.algorithm === "FedAvg")?.figures["accuracy"];
  assert.ok(told?.includes(`FedAvg ends at ${last?.mean.at(-1)?.toFixed(4)} ± ${last?.error.at(-1)?.toFixed(4)}`), String(told));
  await page.context().close();
});

test("bars, sweep, reliability, posterior and budget tables hold the data's values", async () => {
  const nine = experiments.nineSetsReport();
  const bars = await show(nine);
  await drawAll(bars.page);
  assert.equal(await bars.page.locator("#bars .series rect").count(), 36);
  const [barTable] = await tables(bars.page, "bars");
  const run = first(nine);
  run.cases.forEach((one, at) => {
    assert.deepEqual(barTable?.rows[at], [one.name, ...run.series.filter((s) => s.case === at).map((s) => s.figures["accuracy"]?.mean.at(-1))]);
  });

  const widths = experiments.reliabilityReport();
  const reliability = await show(widths);
  const diagrams = await tables(reliability.page, "reliability");
  first(widths).reliability.forEach((one, at) => {
    const counts = diagrams[at]?.rows.map((row) => row[1]);
    assert.deepEqual(counts, one.bins.map((bin) => bin.count));
    assert.deepEqual(diagrams[at]?.rows.at(-1)?.slice(2), [one.bins.at(-1)?.confidence, one.bins.at(-1)?.accuracy]);
  });
  const [sweep] = await tables(reliability.page, "sweep");
  assert.deepEqual(sweep?.columns, ["Hidden", "FedAvg", "SVGD", "DSVGD"]);
  assert.deepEqual(sweep?.rows.map((row) => row[3]), first(widths).series.filter((s) => s.algorithm === "DSVGD").map((s) => s.figures["mce"]?.mean.at(-1)));

  const beats = experiments.abstentionReport();
  const abstention = await show(beats);
  const [left] = await tables(abstention.page, "abstention");
  assert.deepEqual(left?.columns, ["Share left out", "FedAvg", "SVGD", "DSVGD"]);
  const shares = ["0", "0.05", "0.1", "0.2"];
  assert.deepEqual(left?.rows.map((row) => row[3]), shares.map((share) => first(beats).series[2]?.figures[`answered@${share}`]?.mean.at(-1)));

  const rounds = experiments.roundsReport();
  const { page } = await show(rounds);
  await page.locator("#budget input").fill("0.75");
  await page.locator("#budget input").blur();
  const [budget] = await tables(page, "budget");
  const reached = first(rounds).comparison?.rows.filter((row) => row.case === 0 && ["DSVGD", "U-DSVGD", "DSGLD", "FedAvg"].includes(row.algorithm));
  assert.deepEqual(budget?.rows.map((row) => (row[1] === "not held" ? null : row[1])), reached?.map((row) => row.bytes_to_target));
  const input = page.locator("#budget input");
  await input.fill("0.01");
  await input.blur();
  assert.equal(await page.locator("#budget .numbers td", { hasText: "not held" }).count(), 0);
  for (const one of [bars.page, reliability.page, abstention.page, page]) await one.context().close();
});

test("the posterior follows its slider, by hand and by itself", async () => {
  const report = experiments.toy1dReport();
  const data = first(report).posterior1d[0];
  const { page, problems } = await show(report);
  const slider = page.locator("#posterior-1d input[type=range]");
  const heading = page.locator("#posterior-1d .panel h4");
  await heading.waitFor();
  assert.equal(await heading.textContent(), "DSVGD, round 10");
  const path = () => page.locator("#posterior-1d .series path, #posterior-1d path.series").first().getAttribute("d");
  const last = await path();
  await slider.focus();
  await page.keyboard.press("Home");
  assert.equal(await heading.textContent(), "DSVGD, round 0");
  assert.notEqual(await path(), last);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  const [table] = await tables(page, "posterior-1d");
  assert.deepEqual(table?.columns, ["θ", "Exact", "DSVGD", "Agent 0", "Agent 1"]);
  assert.deepEqual(table?.rows.map((row) => row[1]), data?.exact);
  assert.deepEqual(table?.rows.map((row) => row[2]), data?.frames[2]?.density);
  await page.locator("#posterior-1d button", { hasText: "Play" }).click();
  await page.waitForFunction(() => document.querySelector("#posterior-1d output")?.textContent === "Round 4 of 10");
  await page.locator("#posterior-1d button", { hasText: "Pause" }).click();
  assert.deepEqual(problems, []);
  await page.context().close();
});

test("contours follow the slider and carry the round's KL", async () => {
  const report = experiments.toy2dReport();
  const { page, problems } = await show(report);
  const notes = page.locator("#posterior-2d .note");
  await notes.first().waitFor();
  assert.match((await notes.nth(3).textContent()) ?? "", /^Round 5 · KL divergence 0\.027/);
  await page.locator("#posterior-2d input[type=range]").focus();
  await page.keyboard.press("Home");
  assert.match((await notes.nth(3).textContent()) ?? "", /^Round 1 · KL divergence 0\.447/);
  assert.equal(await page.locator("#posterior-2d circle").count(), 800);
  await page.locator("#posterior-2d button", { hasText: "particles" }).click();
  assert.equal(await page.locator("#posterior-2d circle").count(), 0);
  assert.deepEqual(problems, []);
  await page.context().close();
});

test("the heat map has a cell for every update taken in, and a cross for every failure", async () => {
  const report = experiments.roundsReport();
  const series = first(report).series.find((one) => one.failures.length > 0);
  const { page } = await show(report);
  await page.locator("#agents").scrollIntoViewIfNeeded();
  await page.locator("#agents .series").waitFor();
  assert.equal(await page.locator("#agents .series rect").count(), series?.activity?.folded.flat().length);
  assert.equal(await page.locator("#agents .failures path").count(), 2);
  const [table] = await tables(page, "agents");
  assert.deepEqual(table?.rows[11], ["11", 3, 2, "timeout: no reply within 30 s"]);
  await page.context().close();
});

test("a map shows each method's numbers, its own rows, and one scale for all", async () => {
  const report = experiments.mapReport();
  const maps = first(report).maps;
  const { page, problems } = await show(report);
  await drawAll(page);
  const titles = await page.$$eval("#map h4", (all) => all.map((one) => one.textContent));
  assert.deepEqual(titles, [...maps, ...maps].map((map) => map.algorithm));
  const points = await page.$$eval("#map .panel", (all) => all.map((panel) => panel.querySelectorAll(".points path, .points circle").length));
  assert.deepEqual(points, [...maps, ...maps].map((map) => map.points.length));
  // FedAvg has no doubt: one band, the lowest. The others have several.
  const fills = await page.$$eval("#map .panel", (all) => all.map((panel) => new Set([...panel.querySelectorAll(".series path")].filter((path) => path.getAttribute("d")).map((path) => path.getAttribute("fill"))).size));
  assert.equal(fills[5], 1);
  for (const at of [4, 6, 7]) assert.ok((fills[at] ?? 0) > 4, `panel ${at} has ${fills[at]} bands`);
  assert.equal(await page.locator("#map .boundary").count(), 4);
  const ends = await page.$$eval("#map .scale", (all) => all.map((scale) => [...scale.querySelectorAll("text")].map((text) => text.textContent)));
  for (const end of ends.slice(0, 4)) assert.deepEqual(end, ["0", "0.50", "1", "probability of class +1"]);
  for (const end of ends.slice(4)) assert.deepEqual(end, ["0", "0.20", "0.40", "epistemic doubt"]);

  const shown = await tables(page, "map");
  shown.forEach((table, at) => {
    const map = maps[at % 4];
    assert.ok(map);
    const values = at < 4 ? map.probability : map.doubt;
    const cells = map.x[2];
    assert.equal(table.rows.length, 64);
    // The eleventh: the third in the second row of every third cell.
    assert.equal(table.rows[10]?.[2], (values[4 * cells + 7] ?? NaN) / 1000);
    assert.equal(table.rows[10]?.[1], -2 + (4.5 * 4) / cells);
  });
  const note = await page.locator("#map figcaption p").textContent();
  assert.match(note ?? "", /white: class −1, black: class \+1; each agent has its own shape/);
  assert.match(note ?? "", /Model: bnn-classification \(hidden = 50, prior_precision = 0\.1\)\. Set for p-dsvgd; svgd: repulsion = predictions\./);
  const told = await page.locator("#map svg[role=img]").nth(5).getAttribute("aria-label");
  assert.match(told ?? "", /^Map of FedAvg: epistemic doubt.* From 0 to 0, 0 in the mean over the plane, with 200 training rows\.$/);
  assert.deepEqual(problems, []);
  await page.context().close();
});

test("a saved map has all of its panels and scales in one picture", async () => {
  const { page, problems } = await show(experiments.mapReport());
  await drawAll(page);
  const download = page.waitForEvent("download");
  await page.locator("#map .footer button", { hasText: "SVG" }).click();
  const text = readFileSync(await (await download).path(), "utf8");
  assert.equal(text.match(/class="scale"/g)?.length, 8);
  assert.equal(text.match(/probability of class \+1</g)?.length, 4);
  assert.equal(text.match(/viewBox="0 0 960 \d+"/g)?.length, 1);
  assert.deepEqual(problems, []);
  await page.context().close();
});
