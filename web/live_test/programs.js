// SPDX-License-Identifier: Apache-2.0
// The real program: servers, agents and runs as a user starts them, in a folder of their own.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

const program = process.env["FEDSTEIN_PROGRAM"] ?? "";
export const skip = program ? false : "FEDSTEIN_PROGRAM names no program to test";

/** @type {Set<import("node:child_process").ChildProcess>} */
const started = new Set();
// A test that has failed leaves nothing behind that would keep the tests from ending.
const stop = () => started.forEach((child) => child.kill("SIGKILL"));
after(stop);
process.on("exit", stop);

/** A folder that is gone when the tests end. */
export function folder() {
  const made = mkdtempSync(join(tmpdir(), "fedstein-live-"));
  process.on("exit", () => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** @param {string} place @param {string[]} words */
export const fedstein = (place, ...words) => execFileSync(program, words, { cwd: place, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/**
 * A program that goes on; its words so far.
 * @param {string} place @param {string[]} words @param {string} path
 */
export function start(place, words, path = program) {
  const child = spawn(path, words, { cwd: place, stdio: ["pipe", "pipe", "pipe"] });
  started.add(child);
  const said = { out: "", err: "" };
  child.stdout?.on("data", (data) => (said.out += String(data)));
  child.stderr?.on("data", (data) => (said.err += String(data)));
  const ended = new Promise((resolve) => child.on("close", (code) => resolve(code)));
  ended.then(() => started.delete(child));
  return { child, said, ended };
}

/** @typedef {ReturnType<typeof start>} Started */

/** Until `test` gives something. @template T @param {() => T | Promise<T>} test @param {string} what @returns {Promise<NonNullable<T>>} */
export async function until(test, what, seconds = 60) {
  const end = Date.now() + 1000 * seconds;
  for (;;) {
    const found = await test();
    if (found) return found;
    if (Date.now() > end) throw new Error(`in ${seconds} s there was no ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The page's address, as the program prints it. @param {Started} one */
export async function pageOf(one) {
  return until(() => {
    if (one.child.exitCode !== null) throw new Error(one.said.err);
    return /live page: (http:\S+\/)/.exec(one.said.out + one.said.err)?.[1];
  }, "address of a live page");
}

/** A port that is free at the moment. @returns {Promise<number>} */
export const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });

/** Three agents with certificates. @param {string} more of [server] */
export async function federation(more = "", rounds = 1000000) {
  const place = folder();
  const port = await freePort();
  writeFileSync(
    join(place, "net.toml"),
    `[experiment]
name = "net"
title = "Three hospitals"
dataset = "feature-skew"
partition = "iid"
agents = 3
trials = 1
[federation]
rounds = ${rounds}
[[algorithm]]
type = "c-dsvgd"
local_steps = 20
[server]
address = "127.0.0.1:${port}"
state = "state"
deadline_seconds = 3
certificate = "keys/server.crt"
key = "keys/server.key"
authority = "keys/ca.crt"
revocations = "ca/ca.crl"
${more}`,
  );
  fedstein(place, "ca", "init");
  fedstein(place, "ca", "issue", "server", "--server", "--host", "127.0.0.1", "--out", "keys");
  for (let k = 0; k < 3; ++k) fedstein(place, "ca", "issue", `agent-${k}`, "--out", "keys");
  return {
    place,
    serve: () => start(place, ["serve", "net.toml", "--quiet"]),
    /** @param {number} k */
    agent: (k) => start(place, ["agent", `127.0.0.1:${port}`, "--simulate", "--state", `agent-${k}`, "--certificate", `keys/agent-${k}.crt`, "--key", `keys/agent-${k}.key`, "--authority", "keys/ca.crt"]),
  };
}

/** @param {string} path */
export const read = (path) => (existsSync(path) ? readFileSync(path, "utf8") : "");
