// SPDX-License-Identifier: Apache-2.0
// Puts the bundle's script and style sheet into the page, so that it is one file. The page's security policy
// then names the script by its checksum: whatever else a report's data may contain, no other script runs, and nothing
// is fetched.
import { createHash } from "node:crypto";

export const kPlaceholder = "__FEDSTEIN_DATA__";
const kPolicy = "__SCRIPT_CHECKSUM__";

/** @param {string} name @returns {import("vite").Plugin} */
export function oneFile(name) {
  return {
    name: "one-file",
    apply: "build",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle[name];
      if (page?.type !== "asset") throw new Error(`one-file: the bundle has no ${name}`);
      let html = String(page.source);
      for (const [file, part] of Object.entries(bundle)) {
        if (part === page) continue;
        if (part.type === "chunk") html = inlineScript(html, file, part.code);
        else html = inlineStyle(html, file, String(part.source));
        delete bundle[file];
      }
      if (name === "report.html" && html.split(kPlaceholder).length !== 2) throw new Error(`one-file: ${kPlaceholder} must stand in the page once`);
      page.source = html;
    },
  };
}

/** @param {string} html @param {string} name @param {string} code */
function inlineScript(html, name, code) {
  // Inside a script element only its end tag and a comment's start mean anything to the page's parser.
  const script = code.trim().replace(/<\/(script)/gi, "<\\/$1").replace(/<!--/g, "\\x3c!--");
  const sum = createHash("sha256").update(script).digest("base64");
  const tag = new RegExp(`<script[^>]*src="[^"]*${escaped(name)}"[^>]*></script>`);
  // Where the tag stood in the head, the page has no data yet: the script goes to the end of the body.
  html = replaceOnce(html, tag, "", name);
  html = replaceOnce(html, /<\/body>/, `<script type="module">${script}</script>\n</body>`, name);
  return replaceOnce(html, new RegExp(kPolicy), `sha256-${sum}`, name);
}

/** @param {string} html @param {string} name @param {string} css */
function inlineStyle(html, name, css) {
  const tag = new RegExp(`<link[^>]*href="[^"]*${escaped(name)}"[^>]*>`);
  return replaceOnce(html, tag, `<style>${css.trim()}</style>`, name);
}

/** @param {string} html @param {RegExp} what @param {string} by @param {string} name */
function replaceOnce(html, what, by, name) {
  if (!what.test(html)) throw new Error(`one-file: the page has no place for ${name}`);
  return html.replace(what, () => by);
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
