// SPDX-License-Identifier: Apache-2.0
// 200 agents and 10,000 rounds over gRPC, watched from the first round to the last: the page neither grows nor slows
// down, nor do the events that it gets. FEDSTEIN_LONG names the federation's program (tests/live/long_federation.cc).
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { browser } from "../test/pages.js";
import { look, roundOn, roundsOf } from "./looking.js";
import { folder, pageOf, start, until } from "./programs.js";

const program = process.env["FEDSTEIN_LONG"] ?? "";
const skip = program ? false : "FEDSTEIN_LONG names no program";
const agents = Number(process.env["FEDSTEIN_LONG_AGENTS"] ?? 200);
const rounds = Number(process.env["FEDSTEIN_LONG_ROUNDS"] ?? 10000);
const chrome = skip ? null : await browser();
after(() => chrome?.close());

/** What the page costs: bytes of its heap, nodes, and the share of time that it computes. @param {import("playwright-core").CDPSession} session */
async function costs(session) {
  await session.send("HeapProfiler.collectGarbage");
  const read = async () => Object.fromEntries((await session.send("Performance.getMetrics")).metrics.map(({ name, value }) => [name, value]));
  const first = await read();
  await new Promise((resolve) => setTimeout(resolve, 6000));
  const last = await read();
  const busy = (last["TaskDuration"] ?? 0) - (first["TaskDuration"] ?? 0);
  return { heap: first["JSHeapUsedSize"] ?? 0, nodes: first["Nodes"] ?? 0, busy: busy / 6 };
}

test(`${agents} agents and ${rounds} rounds`, { skip, timeout: 850_000 }, async () => {
  assert.ok(chrome);
  const federation = start(folder(), [".", String(agents), String(rounds)], program);
  const { page, problems } = await look(chrome, await pageOf(federation));
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" }); // what it computes, whatever else the machine does
  let most = 0;
  await session.send("Network.enable");
  session.on("Network.eventSourceMessageReceived", (event) => {
    if (event.eventName === "change") most = Math.max(most, event.data.length);
  });
  await page.locator("figure#particles").waitFor({ timeout: 240_000 });
  await page.locator("figure#particles").scrollIntoViewIfNeeded();
  await page.locator("figure#particles .series").first().waitFor();
  assert.equal(await page.locator("#agents .wall .agent").count(), agents);
  // The table of all agents is the heaviest thing that a reader can open.
  await page.locator("#agents-all summary").click();
  await page.locator("figure#particles").scrollIntoViewIfNeeded();
  await until(async () => (await roundOn(page)) > rounds / 10, "tenth of the rounds", 300);
  const early = await costs(session);
  await until(async () => (await roundOn(page)) > 0.9 * rounds, "end in sight", 700);
  const late = await costs(session);
  await until(async () => (await roundOn(page)) === rounds, "last round", 120);
  const shown = await roundsOf(page, "particles");
  console.log(`early ${JSON.stringify(early)}, late ${JSON.stringify(late)}, largest event ${most} bytes, ${shown.length} rounds drawn`);
  assert.deepEqual([shown[0], shown.at(-1)], [1, rounds]);
  assert.ok(shown.length > 150 && shown.length <= 401, `${shown.length} rounds drawn`);
  assert.ok(late.heap < early.heap + 4e6 && late.heap < 20e6, `heap ${early.heap} and ${late.heap} bytes`);
  assert.ok(late.nodes < 1.2 * early.nodes + 500, `${early.nodes} and ${late.nodes} nodes`);
  assert.ok(late.busy < 1.5 * early.busy + 0.05, `busy ${early.busy} and ${late.busy}`);
  assert.ok(most < 60_000, `an event of ${most} bytes`);
  assert.deepEqual(problems, []);
  federation.child.stdin?.end();
  await page.context().close();
});
