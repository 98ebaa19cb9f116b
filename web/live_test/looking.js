// SPDX-License-Identifier: Apache-2.0
// A viewer of a live page, in Debian's Chromium.

/**
 * @param {import("playwright-core").Browser} chrome
 * @param {string} url
 * @param {{width?: number, ignoreHTTPSErrors?: boolean}} options
 */
export async function look(chrome, url, { width = 1400, ignoreHTTPSErrors = false } = {}) {
  const context = await chrome.newContext({ viewport: { width, height: 900 }, ignoreHTTPSErrors });
  const page = await context.newPage();
  /** @type {string[]} */
  const problems = [];
  // A lost connection is told by the browser too; anything else is ours.
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !/Failed to load resource|ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY/.test(message.text())) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin && !request.url().startsWith("data:")) problems.push(`fetched ${request.url()}`);
  });
  await page.goto(url);
  return { page, problems };
}

/** The number of the round that the heading tells. @param {import("playwright-core").Page} page */
export async function roundOn(page) {
  const text = (await page.locator(".where").textContent()) ?? "";
  return Number(/Round ([\d\u202f]+) of/.exec(text)?.[1]?.replaceAll("\u202f", "") ?? "-1");
}

/** Rounds that a figure's table lists. @param {import("playwright-core").Page} page @param {string} id */
export async function roundsOf(page, id) {
  const card = page.locator(`figure#${id}`);
  await card.scrollIntoViewIfNeeded();
  const button = card.getByRole("button", { name: /as a table$/ });
  if ((await button.getAttribute("aria-expanded")) !== "true") await button.click();
  return (await card.locator(".numbers tbody th").allTextContents()).map((text) => Number(text.replaceAll("\u202f", "")));
}
