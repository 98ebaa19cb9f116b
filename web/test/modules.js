// SPDX-License-Identifier: Apache-2.0
// The page's own modules in Node, for tests that need no browser.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { transformWithEsbuild } from "vite";

/** A module that imports nothing but types. @param {string} name @returns {Promise<any>} */
export async function pageModule(name) {
  const path = join(dirname(fileURLToPath(import.meta.url)), "../src", name);
  const { code } = await transformWithEsbuild(readFileSync(path, "utf8"), path, { target: "es2022" });
  return import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`);
}
