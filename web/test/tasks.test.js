// SPDX-License-Identifier: Apache-2.0
// What a plain experiment's report starts with, and the figures that it gets unasked.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import * as experiments from "./experiments.js";
import { browser, drawAll, embedded, filled, open } from "./pages.js";

const chrome = await browser();
after(() => chrome.close());

/** @param {import("../src/data").Report} report @param {Parameters<typeof open>[2]} [screen] */
const show = (report, screen) => open(chrome, filled(embedded(report)), screen);

/** @param {import("../src/data").Report} report */
const first = (report) => /** @type {import("../src/data").Run} */ (report.runs[0]);

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

test("eight methods are named at their curves' ends, at every width, and in saved pictures", async () => {
  for (const width of [1400, 390]) {
    const { page, problems } = await show(experiments.eightReport(), { width });
    await drawAll(page);
    const named = await page.$$eval("#rounds svg[role=img]", (all) => all.map((picture) => [...picture.querySelectorAll(".end-label")].map((label) => label.textContent ?? "").sort()));
    const labels = ["DSVGD", "FedAvg", "FedProx", "PVI", "SCAFFOLD", "SVGD", "U-DSVGD", "c-DSVGD"];
    assert.deepEqual(named, [labels, labels]);
    await page.locator("#rounds .legend button", { hasText: "FedAvg" }).click();
    await page.waitForFunction(() => document.querySelectorAll("#rounds .end-label").length === 14);
    assert.deepEqual(problems, []);
    await page.context().close();
  }
});

test("coefficients, layers, predictions and coverage hold the data's values", async () => {
  const eight = experiments.eightReport();
  const coefficients = await show(eight);
  const [table] = await tables(coefficients.page, "coefficients");
  const one = first(eight).coefficients[1];
  assert.equal(table?.columns.length, 1 + (3 + 3) * 8);
  const row = table?.rows.find((each) => each[0] === "weight");
  const column = one?.rows.find((each) => each.name === "weight");
  // Per standard deviation of the column, which is 2; then per unit.
  assert.deepEqual(row?.slice(4, 7), [column?.mean, column?.low, column?.high].map((value) => 2 * (value ?? NaN)));
  // What the figure does not draw is in its table: standard deviation, probability of being above 0, odds ratio.
  const more = table?.columns.indexOf("DSVGD: standard deviation") ?? -1;
  assert.deepEqual(table?.columns.slice(more, more + 3), ["standard deviation", "P(> 0)", "odds ratio"].map((name) => `DSVGD: ${name}`));
  assert.deepEqual(row?.slice(more, more + 3), [2 * (column?.sd ?? NaN), column?.above_zero, Math.exp(2 * (column?.mean ?? NaN))]);
  assert.ok(!table?.rows.some((each) => each[0] === "(intercept)"), "an intercept has no column to be compared with");
  await coefficients.page.locator("#coefficients button", { hasText: "per unit" }).click();
  const again = await coefficients.page.$$eval("#coefficients .numbers tbody tr", (rows) => rows.map((each) => (/** @type {HTMLElement} */ (each.children[4])).dataset["value"]));
  assert.ok(again.includes(String(column?.mean)));
  assert.match((await coefficients.page.locator("#coefficients figcaption").textContent()) ?? "", /Intervals of PVI are those of the particles alone/);
  assert.match((await coefficients.page.locator("#coefficients figcaption").textContent()) ?? "", /KSD beside that posterior: c-DSVGD 3\.15 of 8, 1\.03; DSVGD/);

  const number = experiments.regressionReport();
  const { page } = await show(number);
  await drawAll(page);
  const points = first(number).predicted[0]?.points ?? [];
  const outside = points.filter(([, low, high, observed]) => (observed ?? 0) < (low ?? 0) || (observed ?? 0) > (high ?? 0)).length;
  assert.ok(outside > 0);
  assert.equal(await page.locator("#predicted .panel").first().locator(".outside > *").count(), outside);
  assert.equal(await page.locator("#predicted .panel").first().locator(".series > *").count(), points.length - outside);
  assert.match((await page.locator("#predicted .note").first().textContent()) ?? "", new RegExp(`^${outside} of 80 outside`));
  const [covered] = await tables(page, "coverage");
  assert.deepEqual(covered?.rows.map((each) => each[1]), first(number).coverage[0]?.covered.mean);
  const [layers] = await tables(page, "spread");
  assert.deepEqual(layers?.rows.map((each) => each.slice(0, 2)), first(number).layers[0]?.layers.map(({ name, spread }) => [name, spread]));
  for (const each of [coefficients.page, page]) await each.context().close();
});

test("where bins of several trials are pooled, the page says so and why the table differs", async () => {
  const report = experiments.eightReport();
  const { page } = await show(report);
  await drawAll(page);
  assert.match((await page.locator("#reliability figcaption").textContent()) ?? "", /are pooled.*mean of each trial’s own ECE/);
  const mean = first(report).series[0]?.figures["ece"]?.mean.at(-1) ?? NaN;
  const note = (await page.locator("#reliability .note").first().textContent()) ?? "";
  assert.match(note, /^ECE pooled 0\.0123 \(mean of the trials 0\.0\d+\) · MCE pooled/);
  assert.ok(note.includes(mean.toFixed(4)), `${note} for ${mean}`);
  // A single trial has one ECE.
  const single = experiments.eightReport();
  const run = first(single);
  run.trials = 1;
  for (const series of run.series) series.trials = 1;
  const other = await show(single);
  await drawAll(other.page);
  assert.doesNotMatch((await other.page.locator("#reliability").textContent()) ?? "", /pooled/);
  for (const each of [page, other.page]) await each.context().close();
});

test("a run without figures of its own gets those of its task, in one order; with some, they come first", async () => {
  const ids = (/** @type {import("playwright-core").Page} */ page, /** @type {string} */ section) => page.$$eval(`${section} figure.card`, (cards) => cards.map((card) => card.id));
  const eight = await show(experiments.eightReport());
  assert.deepEqual(await ids(eight.page, "main"), ["rounds", "bytes", "reliability", "abstention", "coefficients", "budget", "agents"]);
  const number = await show(experiments.regressionReport());
  assert.deepEqual(await ids(number.page, "main"), ["rounds", "bytes", "spread", "predicted", "coverage", "budget", "agents"]);
  const asked = experiments.regressionReport();
  first(asked).figures.push({ kind: "coverage", title: "Do intervals hold?", metric: "", x: "" }, { kind: "bytes", title: "", metric: "rmse", x: "" });
  const own = await show(asked);
  assert.deepEqual(await ids(own.page, "#figures"), ["coverage", "bytes"]);
  assert.deepEqual(await ids(own.page, "#more"), ["rounds", "spread", "predicted", "budget", "agents"]);
  assert.equal(await own.page.locator("#coverage h3").textContent(), "Do intervals hold?");
  for (const each of [eight.page, number.page, own.page]) await each.context().close();
});

test("a target that is lost again counts from where it is held", async () => {
  const report = experiments.aloneReport();
  const run = first(report);
  const accuracy = run.series[0]?.figures["accuracy"];
  assert.ok(accuracy);
  accuracy.mean = accuracy.mean.map((_, at) => (at < 3 ? 0.5 : at === 9 ? 0.6 : 0.9)); // round 10 dips
  const { page } = await show(report);
  await page.locator("#budget").getByLabel("Metric").selectOption("accuracy");
  await page.locator("#budget input").fill("0.8");
  await page.locator("#budget input").blur();
  const [budget] = await tables(page, "budget");
  assert.equal(budget?.rows[0]?.[2], 11);
  await page.context().close();
});

test("the page starts with what came out: who is ahead by how much, and of what that is worth", async () => {
  const told = async (/** @type {import("../src/data").Report} */ report) => {
    const { page, problems } = await show(report);
    const text = (await page.locator("#outcome").textContent()) ?? "";
    assert.deepEqual(problems, []);
    const asked = (await page.locator("#asked").textContent()) ?? "";
    await page.context().close();
    return { text, asked };
  };
  const eight = experiments.eightReport();
  const clear = await told(eight);
  const standing = eight.runs[0]?.cases[0]?.standing;
  assert.ok(standing);
  assert.match(clear.text, /^What came outc-DSVGD has the best log-likelihood of the federated methods: −0\.4355 ± 0\.0055\. It is ahead of SCAFFOLD by 0\.0087 ± 0\.0026 \(mean difference over the same 5 trials/);
  assert.doesNotMatch(clear.text, /too little/);
  assert.match(clear.text, /To compare with: SVGD with all rows in one place, −0\.4395/);
  assert.match(clear.text, /A guess that looks at no feature has log-likelihood −0\.6400 and accuracy 0\.6700\./);
  assert.match(clear.asked, /Datasetwaveform: 4000 rows to learn from, 1000 to test on; 21 features, 2 classes.*Modellogistic regression.*Agents20 with 185 to 215 rows.*Splitrows at random, equal shares.*Rounds60.*Trials5, each.*8 methods/);

  standing.margin = [0.0087, 0.005];
  standing.left_out = ["FedAvg"];
  const narrow = await told(eight);
  assert.match(narrow.text, /within two standard errors: too little to tell the two apart/);
  assert.match(narrow.text, /Not ranked.*FedAvg\./);

  standing.margin = [0.0087, null];
  standing.trials = 1;
  assert.match((await told(eight)).text, /From one trial there is no standard error, and another may turn this around: “trials = 5”/);
  const best = standing.ranked[0];
  assert.ok(best);
  best.value = [-0.7, 0.01];
  assert.match((await told(eight)).text, /has log-likelihood −0\.6400 and accuracy 0\.6700: no method did better/);

  const alone = await told(experiments.aloneReport());
  assert.match(alone.text, /c-DSVGD ended with a log-likelihood of .*accuracy 0\.\d+.*It ran alone, so there is no winner\..*A guess/);
  assert.match(alone.asked, /Methodc-DSVGD/);
  const one = await told(experiments.regressionReport());
  assert.match(one.text, /has the best RMSE: .*From one trial there is no standard error/);
});

test("of several cases the page starts with a table of the best of each", async () => {
  const report = experiments.twoCasesReport();
  const { page } = await show(report);
  assert.match((await page.locator("#outcome .winner").textContent()) ?? "", /^c-DSVGD is best of the federated methods in 2 of 2 cases\. Every lead is more than two standard errors/);
  const rows = await page.$$eval("#outcome tbody tr", (all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
  assert.deepEqual(rows.map((row) => [row[0], row[1], row[3]]), [["rows at random", "c-DSVGD", "FedAvg"], ["one class an agent", "c-DSVGD", "FedAvg"]]);
  assert.equal(await page.locator("#outcome details").count(), 0);
  assert.deepEqual(await page.locator("#comparison .figures tr.group").allTextContents(), ["rows at random", "one class an agent"]);
  await page.context().close();
});

test("verdicts stand above the table, warnings apart from what is only good to know", async () => {
  const { page } = await show(experiments.eightReport());
  const warned = page.locator(".warnings");
  assert.equal(await warned.locator("h2").textContent(), "1 warning");
  const lists = await warned.locator("ul").allTextContents();
  assert.match(lists[0] ?? "", /^FedAvg: overconfident: .*try fedstein calibrate/);
  assert.match(lists[1] ?? "", /^FedProx: still improving: .*more rounds would help/);
  const order = await page.$$eval("main > *", (all) => all.map((part) => part.id || part.className));
  assert.deepEqual(order, ["heading", "warnings", "comparison", "figures", "reproduce"]);
  await page.context().close();
});

test("of many cases the first stand open, and the rest one click away", async () => {
  const report = experiments.twoCasesReport();
  const run = first(report);
  const [one] = run.cases;
  assert.ok(one);
  run.cases = Array.from({ length: 30 }, (_, at) => ({ ...one, name: `case ${at + 1}` }));
  const { page, problems } = await show(report);
  const rows = (/** @type {string} */ where) => page.locator(`#outcome ${where} tbody tr`).count();
  assert.equal(await rows(".sentences > .stack"), 12);
  assert.equal(await rows("details"), 18);
  assert.equal(await page.locator("#outcome summary").textContent(), "18 more cases");
  assert.deepEqual(problems, []);
  await page.context().close();
});
