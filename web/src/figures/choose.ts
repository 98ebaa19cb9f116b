// SPDX-License-Identifier: Apache-2.0
// Which figures a run gets: those its experiment asks for, in its order, then those that its data allows.
import { records, type FigurePlan, type Run, type Series } from "../data";
import type { Figure } from "../figure";
import type { MethodLook } from "../methods";
import { kDiagnostics, metricNamed, metricsOf } from "../metrics";
import { abstentionFigure, abstains } from "./abstention";
import { active, activityFigure } from "./activity";
import { barsFigure } from "./bars";
import { budgetFigure, sends } from "./budget";
import { coordinateValues, spoken } from "./cases";
import { linesFigure } from "./lines";
import { mapFigure } from "./map";
import { posterior1dFigure } from "./posterior1d";
import { posterior2dFigure } from "./posterior2d";
import { reliabilityFigure } from "./reliability";
import { sweepFigure } from "./sweep";

export interface Chosen {
  asked: Figure[];
  added: Figure[];
}

export function figuresOf(run: Run, looks: Map<string, MethodLook>): Chosen {
  const made = new Map<string, number>();
  // "rounds", "rounds-2", ...: stable names for links and files.
  const id = (kind: string): string => {
    const count = (made.get(kind) ?? 0) + 1;
    made.set(kind, count);
    return count === 1 ? kind : `${kind}-${count}`;
  };
  const make = (plan: FigurePlan): Figure | null => (drawable(run, plan) ? figureOf(run, looks, plan, id(plan.kind)) : null);
  const asked = run.figures.map(make).filter((figure) => figure !== null);
  const added = extra(run).map(make).filter((figure) => figure !== null);
  const measured = kDiagnostics.filter((name) => run.series.some((series) => records(series, name) && evolves(series)));
  if (measured.length > 0) {
    const title = "Particles: distance to the posterior and spread";
    added.push(linesFigure(run, looks, { id: id("particles"), title: measured.includes("ksd") ? title : "Particle spread", metrics: measured, axis: "rounds", together: true }));
  }
  if (run.series.some(sends) && metricsOf([run]).some((metric) => metric.better)) added.push(budgetFigure(run, looks, id("budget")));
  if (run.series.some(active)) added.push(activityFigure(run, looks, id("agents")));
  return { asked, added };
}

// A method that was judged once, at its end, has no curve.
const evolves = (series: Series): boolean => series.rounds.length > 1;

function drawable(run: Run, plan: FigurePlan): boolean {
  if (plan.kind === "abstention") return run.series.some(abstains);
  if (plan.kind === "reliability") return run.reliability.length > 0;
  if (plan.kind === "map") return (run.maps ?? []).length > 0;
  if (plan.kind === "posterior-1d") return run.posterior1d.length > 0;
  if (plan.kind === "posterior-2d") return run.posterior2d.length > 0;
  return run.series.some((series) => records(series, plan.metric));
}

function figureOf(run: Run, looks: Map<string, MethodLook>, plan: FigurePlan, id: string): Figure {
  const { metric, x } = plan;
  const label = metricNamed(metric).label;
  switch (plan.kind) {
    case "rounds":
      return linesFigure(run, looks, { id, title: plan.title || `${label} against rounds`, metrics: [metric], axis: "rounds" });
    case "bytes":
      return linesFigure(run, looks, { id, title: plan.title || `${label} against bytes exchanged`, metrics: [metric], axis: "bytes" });
    case "sweep":
      return sweepFigure(run, looks, { id, title: plan.title || `${label} against ${spoken(x)}`, metrics: [metric], x });
    case "bars":
      return barsFigure(run, looks, { id, title: plan.title || `${label} by ${spoken(x)}`, metric, x });
    case "abstention":
      return abstentionFigure(run, looks, id, plan.title);
    case "reliability":
      return reliabilityFigure(run, looks, id, plan.title);
    case "map":
      return mapFigure(run, id, plan.title);
    case "posterior-1d":
      return posterior1dFigure(run, looks, id, plan.title);
    case "posterior-2d":
      return posterior2dFigure(run, looks, id, plan.title);
  }
}

// What the experiment did not ask for, but its data shows.
function extra(run: Run): FigurePlan[] {
  const has = (kind: string): boolean => run.figures.some((plan) => plan.kind === kind);
  const main = metricsOf([run]).find((metric) => metric.better !== "" && !kDiagnostics.includes(metric.name));
  const plans: FigurePlan[] = [];
  const add = (kind: FigurePlan["kind"], metric = "", x = ""): void => {
    if (!has(kind)) plans.push({ kind, title: "", metric, x });
  };
  add("posterior-1d");
  add("posterior-2d");
  if (main) {
    if (run.series.some(evolves)) add("rounds", main.name);
    const swept = [...coordinateValues(run.cases)].filter(([, values]) => values.length > 2);
    const [name, values] = swept[0] ?? ["", []];
    const numeric = values.every((value) => value.trim() !== "" && Number.isFinite(Number(value)));
    if (swept.length > 0 && numeric) add("sweep", main.name, name);
    // One group of bars per case, or there are more bars than anybody looks at.
    if (swept.length > 0 && !numeric && values.length === run.cases.length) add("bars", main.name, name);
    if (run.series.some((series) => sends(series) && evolves(series))) add("bytes", main.name);
  }
  add("abstention");
  add("reliability");
  return plans;
}
