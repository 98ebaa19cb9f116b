// SPDX-License-Identifier: Apache-2.0
// What somebody should look at now.
import { h } from "../dom";
import { plural } from "../format";
import { named } from "../names";
import type { Parts } from "./parts";

const kShown = 6;

export function troubles(parts: Parts): HTMLElement | null {
  const lines = [...(parts.trouble ? [parts.trouble] : []), ...(parts.federation?.troubles ?? []), ...revoked(parts), ...failed(parts)];
  if (lines.length === 0) return null;
  const items = (some: string[]): HTMLElement => h("ul", {}, some.map((line) => h("li", {}, line)));
  const rest = lines.slice(kShown);
  return h(
    "section",
    { class: "warnings", "aria-labelledby": "troubles-title" },
    h("h2", { id: "troubles-title" }, plural(lines.length, "warning")),
    items(lines.slice(0, kShown)),
    rest.length > 0 && h("details", { id: "troubles-more" }, h("summary", {}, `${rest.length} more`), items(rest)),
  );
}

function revoked(parts: Parts): string[] {
  return parts.agents.filter((agent) => agent.state === "barred").map((agent) => `${agent.name} cannot take part: ${agent.why}. Rounds go on without it.`);
}

function failed(parts: Parts): string[] {
  const { series, cases } = parts;
  return parts.jobs.flatMap((jobs, at) => {
    const one = series[at];
    if (!one) return [];
    const where = [cases.length > 1 ? cases[one.case]?.name : "", named(one.algorithm, one.method)].filter(Boolean).join(": ");
    const which = (trial: number): string => (jobs.states.length > 1 ? `${where}, trial ${trial}` : where);
    return [
      ...jobs.errors.map(([trial, error]) => `${which(trial)}: ${error}`),
      ...jobs.lost.map(([trial, rounds, reason]) => `${which(trial)}: ${plural(rounds, "round")} took nobody’s update in${reason ? `; the last one: ${reason}` : ""}`),
    ];
  });
}
