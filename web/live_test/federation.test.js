// SPDX-License-Identifier: Apache-2.0
// A real federation - server, agents, certificates, gRPC on loopback - and its page in a real browser: agents that come,
// vanish and are revoked, a server that is killed, a page behind a token.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { browser } from "../test/pages.js";
import { look, roundOn, roundsOf } from "./looking.js";
import { federation, fedstein, freePort, pageOf, skip, start, until } from "./programs.js";

const chrome = skip ? null : await browser();
after(() => chrome?.close());

test("a federation from its first agent to a server that is killed and comes back", { skip }, async () => {
  assert.ok(chrome);
  const { place, serve, agent } = await federation();
  const first = serve();
  const url = await pageOf(first);
  const { page, problems } = await look(chrome, url);
  await page.locator(".eyebrow", { hasText: "waiting for agents" }).waitFor();
  const agents = [agent(0), agent(1)];
  await page.locator(".lead", { hasText: "Missing: agent-2." }).waitFor();
  agents.push(agent(2));
  await page.locator(".eyebrow", { hasText: "Federation · running" }).waitFor();
  await until(async () => (await roundOn(page)) > 20, "twentieth round");
  assert.equal(await page.locator(".pill").textContent(), "Live");
  // Calibration comes from the agents' counts, spread from the rounds; both are figures of the report.
  await page.locator("figure#reliability").waitFor();
  const early = await roundsOf(page, "particles");
  assert.equal(early[0], 1);
  await until(async () => ((await roundsOf(page, "particles")).at(-1) ?? 0) > (early.at(-1) ?? 0), "later round in the curve");

  // An agent that is killed is away: since when, and why.
  agents[2]?.child.kill("SIGKILL");
  const row = page.locator("#agents .stack tbody tr", { hasText: "agent-2" }).first();
  await row.filter({ hasText: "its connection ended" }).waitFor();
  assert.match((await row.textContent()) ?? "", /away.*\d\d:\d\d:\d\d UTC, .* ago/);
  const status = fedstein(place, "status", "state");
  assert.match(status, /agent-2: away.*away since .*: its connection ended/);

  // One that is revoked cannot take part.
  fedstein(place, "ca", "revoke", "agent-1");
  await page.locator(".warnings li", { hasText: "agent-1 cannot take part" }).waitFor();
  await page.locator("#events tr", { hasText: "revocation" }).first().waitFor();

  // The server is killed: the page says so, and goes on by itself with whole curves when it is there again.
  const before = await roundOn(page);
  first.child.kill("SIGKILL");
  await page.locator(".pill", { hasText: "No connection" }).waitFor();
  await page.locator(".offline", { hasText: "has not answered since" }).waitFor();
  assert.equal(await roundOn(page), before);
  const second = serve();
  assert.equal(await pageOf(second), url);
  await page.locator(".pill", { hasText: "Live" }).waitFor();
  await page.locator(".offline").waitFor({ state: "hidden" });
  assert.ok((await roundOn(page)) >= before);
  const whole = await roundsOf(page, "particles");
  assert.equal(whole[0], 1);
  assert.ok((whole.at(-1) ?? 0) >= before, `${whole.at(-1)} of ${before}`);
  assert.equal(statSync(join(place, "state/live.json")).mode & 0o777, 0o600);
  second.child.kill("SIGTERM");
  assert.equal(await second.ended, 0);
  await page.locator(".eyebrow", { hasText: "stopped" }).waitFor();
  await page.locator(".pill", { hasText: "Ended" }).waitFor();
  assert.deepEqual(problems, []);
  await page.context().close();
});

test("status --watch tells the same as text, and outlives a server that is killed", { skip }, async () => {
  const { place, serve, agent } = await federation();
  const first = serve();
  await pageOf(first);
  const agents = [agent(0), agent(1), agent(2)];
  assert.equal(agents.length, 3);
  const watch = start(place, ["status", "state", "--watch", "--every", "0.2"]);
  await until(() => /^\d\d:\d\d:\d\d running, round \d+ of 1000000, 3 of 3 agents here.*spread/m.test(watch.said.out), "line of a running server");
  assert.ok(!watch.said.out.includes("\u001b"), "what is piped has no escape codes");
  agents[0]?.child.kill("SIGKILL");
  await until(() => /2 of 3 agents here \(away: agent-0\)/.test(watch.said.out), "line about the agent");
  first.child.kill("SIGKILL");
  await until(() => /no answer; it is tried again/.test(watch.said.out), "line about the server");
  const second = serve();
  await until(() => /no answer[^]*running, round/.test(watch.said.out), "line about the new server");
  assert.equal((watch.said.out.match(/no answer/g) ?? []).length, 1);
  second.child.kill("SIGTERM");
  await second.ended;
  watch.child.kill("SIGINT");
  assert.equal(await watch.ended, 0);
  const json = start(place, ["status", "state", "--json"]);
  assert.notEqual(await json.ended, 0);
  assert.match(json.said.err, /no server answers at port \d+ of this machine; it is not running/);
});

test("elsewhere the page is served over TLS, for those who have the token", { skip }, async () => {
  assert.ok(chrome);
  const port = await freePort();
  const { place, serve } = await federation(`live_address = "127.0.0.1:${port}"\nlive_token_file = "token"\n`);
  const without = serve();
  assert.notEqual(await without.ended, 0);
  assert.match(without.said.err, /live_token_file.*token/);
  execFileSync("sh", ["-c", "openssl rand -hex 24 > token"], { cwd: place });
  chmodSync(join(place, "token"), 0o644);
  const open = serve();
  assert.notEqual(await open.ended, 0);
  assert.match(open.said.err, /token/);
  chmodSync(join(place, "token"), 0o600);
  const server = serve();
  const here = await pageOf(server);
  assert.equal((await fetch(`${here}status`)).status, 401);
  assert.match(fedstein(place, "status", "state"), /agent-0: not enrolled/);

  const { page } = await look(chrome, `https://127.0.0.1:${port}/`, { ignoreHTTPSErrors: true });
  const word = page.getByLabel("Token");
  await word.fill("not the token");
  await word.press("Enter");
  await page.locator("[role=alert]", { hasText: "This is not the token" }).waitFor();
  await page.getByLabel("Token").fill(execFileSync("cat", ["token"], { cwd: place, encoding: "utf8" }).trim());
  await page.getByRole("button", { name: "Show the page" }).click();
  await page.locator(".eyebrow", { hasText: "waiting for agents" }).waitFor();
  assert.equal(await page.locator(".pill").textContent(), "Live");
  const cookies = await page.context().cookies();
  assert.deepEqual(cookies.map(({ httpOnly, secure, sameSite }) => [httpOnly, secure, sameSite]), [[true, true, "Strict"]]);

  // A token that is changed locks the page that was open.
  server.child.kill("SIGTERM");
  await server.ended;
  writeFileSync(join(place, "token"), "another-token-that-is-long-enough\n");
  const again = serve();
  await pageOf(again);
  await page.locator(".pill", { hasText: "Locked" }).waitFor();
  await page.locator(".offline", { hasText: "reload this page and enter it" }).waitFor();
  again.child.kill("SIGTERM");
  await again.ended;
  await page.context().close();
});
