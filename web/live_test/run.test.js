// SPDX-License-Identifier: Apache-2.0
// `fedstein run --live` in a real browser: jobs, curves, a run that is killed and resumed, and its end.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { browser } from "../test/pages.js";
import { look, roundsOf } from "./looking.js";
import { fedstein, folder, pageOf, skip, start, until } from "./programs.js";

const chrome = skip ? null : await browser();
after(() => chrome?.close());

/** @param {number} rounds */
const experiment = (rounds) => `[experiment]
name = "live"
title = "Two methods, three trials"
dataset = "feature-skew"
agents = 3
trials = 3
[federation]
rounds = ${rounds}
[[algorithm]]
type = "c-dsvgd"
[[algorithm]]
type = "fedavg"
[[algorithm]]
type = "fedavg"
label = "too fast"
learning_rate = 1e38
`;

test("a run is shown from its first job to its end, across a kill", { skip }, async () => {
  assert.ok(chrome);
  const place = folder();
  writeFileSync(join(place, "live.toml"), experiment(1500));
  const words = ["run", "live.toml", "--live", "--folder", "r", "--threads", "1", "--checkpoint", "0.2"];
  const first = start(place, words);
  const url = await pageOf(first);
  const { page, problems } = await look(chrome, url, { width: 390 });
  await page.locator(".eyebrow", { hasText: "Run · running" }).waitFor();
  await page.locator("#jobs .job-row .job.running").waitFor();
  await page.locator("#jobs", { hasText: /trial \d: round \d+ of 1500, about .* left/ }).waitFor();
  await page.locator("figure#rounds").scrollIntoViewIfNeeded();
  await page.locator("figure#rounds .series").first().waitFor();
  assert.match((await page.locator("figure#rounds figcaption p").textContent()) ?? "", /those of 3 trials that have come so far/);
  await until(async () => (await roundsOf(page, "rounds")).length > 50, "fifty rounds in the curve");
  const told = JSON.parse(fedstein(place, "status", "r", "--json"));
  assert.deepEqual([told.kind, told.state, told.jobs], ["run", "running", 9]);

  first.child.kill("SIGKILL");
  await page.locator(".pill", { hasText: "No connection" }).waitFor();
  const second = start(place, [...words, "--resume"]);
  assert.equal(await pageOf(second), url);
  await page.locator(".pill", { hasText: "Live" }).waitFor();
  assert.equal((await roundsOf(page, "rounds"))[0], 1);

  await page.locator(".eyebrow", { hasText: "Run · finished" }).waitFor({ timeout: 120_000 });
  assert.equal(await page.locator("#jobs .job-row .job.done").count(), 9);
  await page.locator(".warnings li", { hasText: /^too fast, trial 1: 1500 rounds took nobody’s update in; the last one: / }).waitFor();
  await page.locator(".pill", { hasText: "Ended" }).waitFor();
  assert.equal(await page.locator(".offline").isVisible(), false);
  assert.equal(await second.ended, 1);
  // The curve's end is what `compare` tells.
  const rows = JSON.parse(fedstein(place, "compare", "r", "--json")).rows;
  const wanted = rows.find((/** @type {{algorithm: string}} */ row) => row.algorithm === "c-dsvgd").figures.log_likelihood.mean;
  const card = page.locator("figure#rounds");
  const cells = await card.locator(".numbers table").first().locator("tbody tr").last().locator("td").evaluateAll((all) => all.map((cell) => Number(/** @type {HTMLElement} */ (cell).dataset["value"])));
  assert.ok(cells.some((value) => Math.abs(value - wanted) < 1e-4 * Math.abs(wanted)), `${cells} has no ${wanted}`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.equal(wide, false);
  assert.deepEqual(problems, []);
  await page.context().close();
});
