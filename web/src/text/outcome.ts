// SPDX-License-Identifier: Apache-2.0
// What came out: who is ahead by how much, and whether that is more than chance. One paragraph for one case, a table
// for several.
import type { Case, Ranked, Run, Standing, Value } from "../data";
import { h, type Child } from "../dom";
import { number, plural, plusMinus, whole } from "../format";
import { metricNamed } from "../metrics";
import { averageCell, tableElement } from "../table";

export function outcome(run: Run): HTMLElement {
  return h(
    "section",
    { id: "outcome", class: "outcome", "aria-labelledby": "outcome-title" },
    h("h3", { id: "outcome-title" }, "What came out"),
    run.finished ? null : h("p", {}, "The run was not finished when this report was written: what follows is as far as it had come."),
    run.cases.length === 1 ? sentences(run, run.cases[0]!) : casesTable(run),
  );
}

const figureOf = (standing: Standing): string => metricNamed(standing.figure).label.toLowerCase().replace("kl(", "KL(").replace("rmse", "RMSE");

const value = ([mean, error]: [Value, Value]): string => plusMinus(mean, error);

// In twice the standard error of the margin, or without one.
export type Lead = "clear" | "narrow" | "unknown";

export function leadOf(standing: Standing): Lead {
  const [mean, error] = standing.margin ?? [null, null];
  if (mean === null || error === null) return "unknown";
  return mean > 2 * error ? "clear" : "narrow";
}

function sentences(run: Run, one: Case): HTMLElement {
  const { standing } = one;
  if (!standing || standing.ranked.length === 0) {
    return h("p", {}, run.series.some((series) => series.rounds.length > 0) ? "No method has a finite figure that it could be ranked by." : "No round has been judged yet.");
  }
  const parts = [standing.ranked.length === 1 ? onlyOne(run, one, standing) : winner(standing), ...yardsticks(run, one, standing)];
  return h("div", { class: "sentences" }, parts.filter((part) => part !== null));
}

const kBrief: Record<string, string> = { accuracy: "accuracy", rmse: "RMSE", ece: "ECE", coverage: "share of targets within 95 % intervals" };

// No rival: how it did is all there is to say.
function onlyOne(run: Run, one: Case, standing: Standing): HTMLElement {
  const best = standing.ranked[0]!;
  const series = run.series.find((each) => each.algorithm === best.algorithm && run.cases[each.case] === one);
  const others = Object.keys(kBrief).flatMap((name) => {
    const figure = name === standing.figure ? undefined : series?.figures[name];
    const mean = figure?.mean.at(-1);
    return mean === null || mean === undefined ? [] : [`${kBrief[name]} ${plusMinus(mean, figure?.error.at(-1))}`];
  });
  const why = standing.beside.length > 0 || standing.left_out.length > 0 ? "" : " It ran alone, so there is no winner.";
  return h(
    "p",
    { class: "winner" },
    h("strong", {}, best.algorithm),
    ` ended with a ${figureOf(standing)} of `,
    h("strong", {}, value(best.value)),
    `${others.length ? `; ${others.join(", ")}` : ""}.${why}${run.trials === 1 ? " One trial: there is no standard error." : ""}`,
  );
}

// Who sees all rows, or one agent's, may be better and wins nothing.
const among = (standing: Standing): string => (standing.beside.length > 0 ? " of the federated methods" : "");

function winner(standing: Standing): HTMLElement {
  const [best, second] = standing.ranked as [Ranked, Ranked];
  const [mean, error] = standing.margin ?? [null, null];
  const ahead = mean === 0 ? `It is level with ${second.algorithm}` : `It is ahead of ${second.algorithm} by ${plusMinus(mean, error)}`;
  const how =
    error === null
      ? ". From one trial there is no standard error, and another may turn this around: “trials = 5” tells more."
      : ` (mean difference over the same ${plural(standing.trials ?? 0, "trial")}, with its standard error).`;
  const told = leadOf(standing) === "narrow" ? " That is within two standard errors: too little to tell the two apart." : "";
  return h(
    "p",
    { class: "winner" },
    h("strong", {}, best.algorithm),
    ` has the best ${figureOf(standing)}${among(standing)}: `,
    h("strong", {}, value(best.value)),
    `. ${ahead}${how}${told}`,
  );
}

// What the ranking is to be held against.
function yardsticks(run: Run, one: Case, standing: Standing): (HTMLElement | null)[] {
  const centralised = new Set(run.series.filter((series) => series.centralised).map((series) => series.algorithm));
  const beside = standing.beside.map(
    (entry) => `${entry.algorithm} ${centralised.has(entry.algorithm) ? "with all rows in one place" : "on one agent’s rows alone"}, ${value(entry.value)}`,
  );
  const guess = guessText(one, standing);
  const better = metricNamed(standing.figure).better === "lower" ? -1 : 1;
  const guessed = one.guess?.[standing.figure]?.[0] ?? null;
  const reached = standing.ranked[0]!.value[0];
  const poor = guessed !== null && reached !== null && better * (reached - guessed) <= 0;
  return [
    beside.length ? h("p", {}, `To compare with: ${beside.join("; ")}.`) : null,
    guess ? h("p", { class: poor ? "poor" : "" }, `A guess that looks at no feature has ${guess}${poor ? ": no method did better" : ""}.`) : null,
    standing.left_out.length ? h("p", {}, `Not ranked, because a trial failed or its ${figureOf(standing)} is not finite: ${standing.left_out.join(", ")}.`) : null,
  ];
}

function guessText(one: Case, standing: Standing): string {
  const names = [standing.figure, ...Object.keys(one.guess ?? {}).filter((name) => name !== standing.figure)];
  return names
    .flatMap((name) => {
      const found = one.guess?.[name];
      return found ? [`${metricNamed(name).label.replace("Log", "log").replace("Accuracy", "accuracy")} ${number(found[0])}`] : [];
    })
    .join(" and ");
}

const kMostCases = 12; // that stand open at the top of the page

function casesTable(run: Run): HTMLElement {
  const compared = run.cases.some((one) => (one.standing?.beside.length ?? 0) > 0);
  const rows = run.cases.map((one): (ReturnType<typeof averageCell> | string)[] => {
    const { standing } = one;
    const best = standing?.ranked[0];
    if (!standing || !best) return [one.name, "nothing to rank by", "–", "–", "–", "–", ...(compared ? ["–"] : [])];
    const second = standing.ranked[1];
    const guess = one.guess?.[standing.figure];
    const by = standing.margin ? averageCell(standing.margin[0], standing.margin[1]) : "–";
    const [other] = standing.beside;
    const beside = !compared ? [] : [other ? { ...averageCell(...other.value), text: `${other.algorithm}: ${value(other.value)}` } : "–"];
    return [one.name, best.algorithm, averageCell(best.value[0], best.value[1]), second ? second.algorithm : "ran alone", by, ...beside, guess ? averageCell(guess[0], null) : "–"];
  });
  const figures = [...new Set(run.cases.flatMap((one) => (one.standing ? [metricNamed(one.standing.figure).short] : [])))];
  const judged = figures.join(" or ") || "Figure";
  const lead = leads(run);
  const columns = ["Case", compared ? "Best of the federated" : "Best", judged, "Ahead of", "By", ...(compared ? ["Not federated"] : []), "A guess"];
  const table = (some: typeof rows): HTMLElement => tableElement({ caption: "", columns, rows: some }, { stack: true, label: "The best of each case" });
  const rest = rows.slice(kMostCases);
  return h(
    "div",
    { class: "sentences" },
    lead ? h("p", { class: "winner" }, lead) : null,
    table(rows.slice(0, kMostCases)),
    rest.length > 0 && h("details", {}, h("summary", {}, plural(rest.length, "more case")), table(rest)),
  );
}

// Who won how often.
function leads(run: Run): Child[] | null {
  const wins = new Map<string, number>();
  let open = 0;
  for (const { standing } of run.cases) {
    const best = standing?.ranked[0];
    if (!standing || !best || standing.ranked.length < 2) continue;
    wins.set(best.algorithm, (wins.get(best.algorithm) ?? 0) + 1);
    open += leadOf(standing) === "clear" ? 0 : 1;
  }
  const order = [...wins].sort((a, b) => b[1] - a[1]);
  const [most] = order;
  if (!most) return null;
  const rest = order.slice(1, 5).map(([name, count]) => `${name} in ${whole(count)}`);
  const total = order.reduce((sum, [, count]) => sum + count, 0);
  const doubt =
    run.trials === 1
      ? " From one trial there are no standard errors, and another may turn any of them around: “trials = 5” tells more."
      : open > 0
        ? ` In ${whole(open)} of them the lead is within two standard errors (of the difference trial by trial): too little to tell the two apart.`
        : " Every lead is more than two standard errors (of the difference trial by trial).";
  return [h("strong", {}, most[0]), ` is best${run.cases.some((one) => one.standing && one.standing.beside.length > 0) ? " of the federated methods" : ""} in ${whole(most[1])} of ${plural(total, "case")}${rest.length ? `, ${rest.join(", ")}` : ""}.${doubt}`];
}
