// SPDX-License-Identifier: Apache-2.0
// The page around the figures: switches, files, keyboard, names, broken and hostile data.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import * as experiments from "./experiments.js";
import { browser, drawAll, embedded, filled, onDisk, open, packed } from "./pages.js";

const chrome = await browser();
after(() => chrome.close());

/** @param {unknown} report @param {Parameters<typeof open>[2]} [screen] */
const show = (report, screen) => open(chrome, filled(embedded(report)), screen);

test("methods are switched off and on, one by one and together", async () => {
  const { page, problems } = await show(experiments.roundsReport());
  await page.locator("#rounds").scrollIntoViewIfNeeded();
  const lines = () => page.locator("#rounds .panel").first().locator(".series").count();
  await page.locator("#rounds .panel .series").first().waitFor();
  const key = page.locator("#rounds .legend button", { hasText: "FedAvg" });
  await key.click();
  assert.equal(await key.getAttribute("aria-pressed"), "false");
  assert.equal(await lines(), 5);
  await key.press("Space");
  assert.equal(await lines(), 6);
  await page.locator("#rounds .legend .quiet").click();
  assert.equal(await lines(), 0);
  await page.locator("#rounds .legend .quiet").click();
  assert.equal(await lines(), 6);
  assert.deepEqual(problems, []);
  await page.context().close();
});

test("metric, axis, scales and cases can be chosen", async () => {
  const { page, problems } = await show(experiments.roundsReport());
  const card = page.locator("#rounds");
  await page.locator("#rounds").scrollIntoViewIfNeeded();
  const told = () => card.locator("svg[role=img]").first().getAttribute("aria-label");
  await card.locator(".series").first().waitFor();
  await card.getByLabel("Metric").selectOption("mce");
  assert.match((await told()) ?? "", /Maximum calibration error against round/);
  await card.getByLabel("Along").selectOption("bytes");
  assert.match((await told()) ?? "", /against bytes exchanged/);
  await card.getByRole("button", { name: "log x" }).click();
  await card.getByRole("button", { name: "log y" }).click();
  await card.getByLabel("Agents").selectOption("20");
  await card.locator(".series").first().waitFor();
  assert.deepEqual(await card.locator("h4").allTextContents(), ["covertype, K = 20", "twonorm, K = 20"]);
  // A logarithm of negative numbers: said, not drawn.
  await card.getByLabel("Metric").selectOption("log_likelihood");
  assert.match((await card.locator(".note").first().textContent()) ?? "", /drawn on a linear scale/);
  assert.deepEqual(problems, []);
  await page.context().close();
});

test("values under the pointer and under the arrow keys are the data's", async () => {
  const report = experiments.roundsReport();
  const { page } = await show(report);
  await page.locator("#rounds").scrollIntoViewIfNeeded();
  const frame = page.locator("#rounds .frame").first();
  await frame.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  const tip = frame.locator(".tip");
  assert.equal(await tip.locator("strong").textContent(), "Round 3");
  const series = report.runs[0]?.series.filter((one) => one.case === 0) ?? [];
  const rows = await tip.locator("tr").allTextContents();
  assert.equal(rows.length, series.length);
  for (const one of series) {
    const mean = one.figures["accuracy"]?.mean[2] ?? 0;
    const row = rows.find((text) => text.startsWith(`${one.algorithm}0`));
    assert.ok(Math.abs(Number(row?.slice(one.algorithm.length).split(" ")[0]) - mean) < 1e-3, `${row} for ${mean}`);
  }
  await page.keyboard.press("Escape");
  assert.equal(await tip.isVisible(), false);
  const box = await frame.locator("svg[role=img]").boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width - 20, box.y + box.height / 2);
  assert.equal(await tip.locator("strong").textContent(), "Round 10");
  await page.context().close();
});

for (const name of /** @type {(keyof typeof experiments)[]} */ (["roundsReport", "toy1dReport", "toy2dReport", "nineSetsReport", "reliabilityReport", "eightReport", "regressionReport", "hostileReport"])) {
  test(`${name}: every figure can be saved as SVG and PNG`, async () => {
    const { page, problems } = await show(experiments[name](), { dark: true });
    for (const card of await page.locator("figure.card").all()) {
      const [svg] = await Promise.all([page.waitForEvent("download"), card.getByRole("button", { name: /as SVG$/ }).click()]);
      const text = readFileSync(await svg.path(), "utf8");
      const facts = await page.evaluate((xml) => {
        const parsed = new DOMParser().parseFromString(xml, "image/svg+xml");
        const root = parsed.documentElement;
        const texts = [...parsed.querySelectorAll("text")].map((one) => one.textContent ?? "");
        return { error: parsed.querySelector("parsererror")?.textContent, root: root.tagName, width: root.getAttribute("width"), title: root.querySelector("title")?.textContent, texts, scripts: parsed.querySelectorAll("script, image, foreignObject, [onload], [onerror]").length };
      }, text);
      assert.equal(facts.error, undefined);
      assert.deepEqual([facts.root, facts.width, facts.scripts], ["svg", "960", 0]);
      assert.equal(facts.title, await card.locator("h3").textContent());
      assert.ok(!/NaN|undefined|var\(--/.test(text), "a value was not resolved");
      assert.ok(text.includes("#ffffff"), "a saved figure stands on white");
    }
    const [png] = await Promise.all([page.waitForEvent("download"), page.locator("figure.card").first().getByRole("button", { name: /as PNG$/ }).click()]);
    const bytes = readFileSync(await png.path());
    assert.equal(bytes.subarray(1, 4).toString(), "PNG");
    assert.equal(bytes.readUInt32BE(16), 1920);
    assert.ok(bytes.length > 10_000, `${bytes.length} bytes`);
    assert.deepEqual(problems, []);
    await page.context().close();
  });
}

test("what can be reached with the keyboard has a name, and every picture a description", async () => {
  for (const make of [experiments.roundsReport, experiments.toy2dReport, experiments.bigReport]) {
    const { page } = await show(make());
    await drawAll(page);
    const facts = await page.evaluate(() => {
      const named = (/** @type {Element} */ element) => {
        const labels = element instanceof HTMLInputElement || element instanceof HTMLSelectElement ? [...(element.labels ?? [])].map((label) => label.textContent) : [];
        return [element.getAttribute("aria-label"), element.textContent, ...labels].some((text) => text?.trim());
      };
      const reachable = [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex]")];
      const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
      return {
        reachable: reachable.length,
        nameless: reachable.filter((element) => !named(element)).map((element) => element.outerHTML.slice(0, 120)),
        pictures: [...document.querySelectorAll("svg[role=img]")].filter((picture) => (picture.getAttribute("aria-label") ?? "").length < 20).length,
        repeated: ids.filter((id, at) => ids.indexOf(id) !== at),
        dangling: [...document.querySelectorAll("[aria-labelledby]")].filter((element) => !document.getElementById(element.getAttribute("aria-labelledby") ?? "")).length,
        headers: [...document.querySelectorAll("th")].filter((cell) => !cell.scope).length,
        language: document.documentElement.lang,
      };
    });
    assert.ok(facts.reachable > 20);
    assert.deepEqual({ ...facts, reachable: 0 }, { reachable: 0, nameless: [], pictures: 0, repeated: [], dangling: 0, headers: 0, language: "en" });
    await page.context().close();
  }
});

test("Tab goes from the skip link through the bar into the first figure", async () => {
  const { page } = await show(experiments.roundsReport());
  /** @type {string[]} */
  const way = [];
  for (let step = 0; step < 16; ++step) {
    await page.keyboard.press("Tab");
    way.push(await page.evaluate(() => document.activeElement?.closest("figure, nav, .bar, .skip")?.className || document.activeElement?.closest("nav")?.tagName || ""));
  }
  assert.equal(way[0], "skip");
  assert.ok(way.includes("card"), way.join(" "));
  await page.context().close();
});

test("the switch overrides the system's colours, and figures follow", async () => {
  const { page } = await show(experiments.roundsReport());
  const stroke = () => page.locator("#rounds .legend line").first().getAttribute("stroke");
  const light = await stroke();
  await page.getByRole("button", { name: "Dark" }).click();
  assert.notEqual(await stroke(), light);
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(13, 18, 24)");
  await page.getByRole("button", { name: "Light" }).click();
  assert.equal(await stroke(), light);
  await page.emulateMedia({ colorScheme: "dark" });
  assert.equal(await stroke(), light);
  await page.getByRole("button", { name: "Auto" }).click();
  assert.notEqual(await stroke(), light);
  await page.context().close();
});

test("names out of files are text, whatever they contain", async () => {
  const report = experiments.hostileReport();
  const evil = report.runs[0]?.name ?? "";
  const { page, problems } = await show(report);
  await drawAll(page);
  assert.equal(await page.evaluate(() => "broken" in window), false);
  assert.equal(await page.locator("main h2").first().textContent(), evil);
  assert.equal(await page.locator(".warnings li").first().textContent(), evil);
  assert.equal(await page.locator("main img, main script").count(), 0);
  assert.deepEqual(problems, []);
  await page.context().close();
});

test("a script that got into the page does not run", async () => {
  const html = filled(embedded(experiments.toy1dReport())).replace("</body>", "<script>window.broken = 1</script></body>");
  const { page } = await open(chrome, html);
  assert.equal(await page.evaluate(() => "broken" in window), false);
  await page.context().close();
});

test("packed data gives the same page", async () => {
  const report = experiments.roundsReport();
  const plain = await show(report);
  const small = await open(chrome, packed(report));
  const text = (/** @type {import("playwright-core").Page} */ page) => page.locator("main").innerText();
  await drawAll(plain.page);
  await drawAll(small.page);
  assert.equal(await text(small.page), await text(plain.page));
  assert.deepEqual(small.problems, []);
  for (const { page } of [plain, small]) await page.context().close();
});

const kUnreadable = {
  "the empty form": ["__FEDSTEIN_DATA__", /holds no data/],
  "a page without data": ["", /holds no data/],
  "a newer format": [embedded({ ...experiments.toy1dReport(), format: 2 }), /format 2; this page can draw formats up to 1/],
  "no runs": [embedded({ format: 1, generated: "", version: "", runs: [] }), /holds no run yet/],
  "half a file": [embedded(experiments.toy1dReport()).slice(0, 500), /damaged/],
  "other JSON": ["[1, 2, 3]", /not a fedstein report/],
  null: ["null", /not a fedstein report/],
};

for (const [name, [text, sentence]] of Object.entries(kUnreadable)) {
  test(`${name} gives a sentence`, async () => {
    const { page, problems } = await open(chrome, filled(String(text)), { width: 360 });
    assert.match((await page.locator("[role=alert]").textContent()) ?? "", /** @type {RegExp} */ (sentence));
    assert.deepEqual(problems, []);
    await page.context().close();
  });
}

test("damaged packed data gives a sentence", async () => {
  const { page } = await open(chrome, packed(experiments.toy1dReport()).replace(/H4sI.{40}/, "H4sI!!"));
  assert.match((await page.locator("[role=alert]").textContent()) ?? "", /damaged/);
  await page.context().close();
});

test("a run without a round says so, and one with gaps is drawn without them", async () => {
  const { page, problems } = await show(experiments.sparseReport());
  await page.getByLabel("Run", { exact: true }).selectOption("0");
  assert.match((await page.locator("main").textContent()) ?? "", /No round has been recorded yet/);
  await page.getByLabel("Run", { exact: true }).selectOption("1");
  await page.locator("#rounds").getByLabel("Metric").selectOption("accuracy");
  await page.locator("#rounds .footer button", { hasText: "Table" }).click();
  assert.deepEqual(await page.locator("#rounds .numbers tbody th").allTextContents(), ["2", "4", "5", "7", "8"]);
  assert.deepEqual(problems, []);
  await page.context().close();
});

test("text says what was run, what to beware of, what was claimed, and how to do it again", async () => {
  const report = experiments.roundsReport();
  const { page } = await show(report);
  const text = (await page.locator("main").textContent()) ?? "";
  for (const part of ["2 datasetscovertype, twonorm", "4 casescovertype, K = 2; covertype, K = 20", "10, each with a seed of its own", "18446744073709551615", "7 min 31 s", "the particles collapsed in round 9", "3 failed updates of 2 agents (timeout, refused)", "1 of 3 hold in this run.", "fedstein reproduce blr-rounds --seed 18446744073709551615"]) {
    assert.ok(text.includes(part), part);
  }
  const best = await page.locator("#comparison .best").allTextContents();
  // Accuracy, log-likelihood, ECE, MCE and KSD, in each of four cases; spread has no best.
  assert.equal(best.length, 20);
  const values = await page.$$eval("#comparison .figures tr.method", (rows) => rows.map((row) => Number((/** @type {HTMLElement} */ (row.children[1])).dataset["value"])));
  assert.deepEqual(values, report.runs[0]?.comparison?.rows.map((row) => row.figures["accuracy"]?.[0]));
  await page.context().close();
});

test("claims of both settings stand side by side", async () => {
  const report = experiments.roundsReport();
  const run = report.runs[0];
  assert.ok(run);
  run.claims.push({ name: "C4", claim: run.claims[1]?.claim ?? "", settings: "fedstein", figures: "median difference 0.003", holds: true });
  const { page, problems } = await show(report);
  assert.match((await page.locator("#claims .lead").textContent()) ?? "", /paper's settings 1 of 3 hold, with fedstein's own and c-dsvgd 1 of 1 hold/);
  assert.deepEqual(await page.locator("#claims thead th").allTextContents(), ["Name", "Claim", "Paper's settings", "fedstein's own"]);
  const cells = await page.locator("#claims tbody tr").nth(1).locator("td.side").allTextContents();
  assert.deepEqual(cells, ["✗ failsmedian difference 0.021", "✓ holdsmedian difference 0.003"]);
  assert.match((await page.locator("#claims tbody tr").nth(0).locator("td.side").nth(1).textContent()) ?? "", /not run/);
  assert.deepEqual(problems, []);
  await page.context().close();
});

test("50 runs x 100 rounds x 10 methods stay fluid and small", async () => {
  const report = experiments.bigReport();
  const html = packed(report);
  assert.ok(html.length < 5e6, `${html.length} bytes`);
  const context = await chrome.newContext({ viewport: { width: 1400, height: 900 } });
  const page = await context.newPage();
  const start = performance.now();
  await page.goto(onDisk(html));
  await page.locator("#runs-results .series").first().waitFor();
  const firstChart = performance.now() - start;
  await page.locator("#runs-curves").scrollIntoViewIfNeeded();
  await page.locator("#runs-curves .series").first().waitFor();
  /** Time in the page from the click to the next frame. @param {string} selector */
  const click = (selector) =>
    page.evaluate(async (where) => {
      const before = performance.now();
      /** @type {HTMLElement} */ (document.querySelector(where)).click();
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      return performance.now() - before;
    }, selector);
  const toggle = await click("#runs-curves .legend button:nth-child(2)");
  const all = await click("#runs-curves .legend .quiet");
  const open = await click("#runs tbody tr:nth-child(30) button");
  await page.locator("#rounds .series").first().waitFor();
  console.log(`${(html.length / 1e6).toFixed(1)} MB packed, ${(embedded(report).length / 1e6).toFixed(1)} MB plain; first chart ${firstChart.toFixed(0)} ms, one method ${toggle.toFixed(0)} ms, all ten ${all.toFixed(0)} ms, another run ${open.toFixed(0)} ms`);
  // Generous against a loaded machine; the printed figures are the ones to look at.
  assert.ok(firstChart < 6000, `first chart after ${firstChart} ms`);
  assert.ok(toggle < 1000, `a toggle took ${toggle} ms`);
  await context.close();
});
