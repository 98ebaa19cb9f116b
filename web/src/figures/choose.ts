// SPDX-License-Identifier: Apache-2.0
// Which figures a run gets: those its experiment asks for, in its order, then those that its data allows.
import { records, type FigurePlan, type Run, type Series } from "../data";
import type { Figure } from "../figure";
import type { MethodLook } from "../methods";
import { kDiagnostics, metricNamed, metricsOf } from "../metrics";
import { abstentionFigure, abstains } from "./abstention";
import { active, activityFigure } from "./activity";
import { barsFigure } from "./bars";
import { coefficientsFigure } from "./coefficients";
import { coverageFigure } from "./coverage";
import { layersFigure } from "./layers";
import { predictedFigure } from "./predicted";
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
    added.push(linesFigure(run, looks, { id: id("particles"), title: measured.includes("ksd") ? title : "Particle spread", metrics: measured, axis: "rounds", together: true, fixed: true }));
  }
  if (run.series.some(sends) && metricsOf([run]).some((metric) => metric.better)) added.push(budgetFigure(run, looks, id("budget")));
  if (run.series.some(active)) added.push(activityFigure(run, looks, id("agents")));
  return { asked, added };
}

// A method that was judged once, at its end, has no curve.
const evolves = (series: Series): boolean => series.rounds.length > 1;

function drawable(run: Run, plan: FigurePlan): boolean {
  switch (plan.kind) {
    case "abstention":
      return run.series.some((series) => abstains(run, series));
    case "reliability":
      return run.reliability.length > 0;
    case "map":
      return run.maps.length > 0;
    case "posterior-1d":
      return run.posterior1d.length > 0;
    case "posterior-2d":
      return run.posterior2d.length > 0;
    case "coefficients":
      return run.coefficients.length > 0;
    case "spread":
      return run.layers.length > 0;
    case "predicted":
      return run.predicted.length > 0;
    case "coverage":
      return run.coverage.length > 0;
    default:
      // Without a metric: the main ones.
      return plan.metric === "" || run.series.some((series) => records(series, plan.metric));
  }
}

function mainFigure(run: Run, looks: Map<string, MethodLook>, id: string): Figure {
  const metrics = mainMetrics(run);
  const [first, ...others] = metrics.map((name) => metricNamed(name).label);
  const title = `${[first, ...others.map((label) => label.replace("Accuracy", "accuracy"))].join(" and ")} against rounds`;
  return linesFigure(run, looks, { id, title, metrics, axis: "rounds", together: metrics.length > 1 });
}

function figureOf(run: Run, looks: Map<string, MethodLook>, plan: FigurePlan, id: string): Figure {
  const { metric, x } = plan;
  const label = metricNamed(metric).label;
  switch (plan.kind) {
    case "rounds":
      if (!metric) return mainFigure(run, looks, id);
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
    case "coefficients":
      return coefficientsFigure(run, looks, id, plan.title);
    case "spread":
      return layersFigure(run, looks, id, plan.title);
    case "predicted":
      return predictedFigure(run, looks, id, plan.title);
    case "coverage":
      return coverageFigure(run, looks, id, plan.title);
  }
}

// What the experiment did not ask for, but its data shows: how good it got, how far it can be believed, what abstaining
// buys, what was learned, and of regressions what was predicted.
function extra(run: Run): FigurePlan[] {
  const has = (kind: string): boolean => run.figures.some((plan) => plan.kind === kind);
  const main = mainMetrics(run)[0] ?? "";
  const plans: FigurePlan[] = [];
  const add = (kind: FigurePlan["kind"], metric = "", x = ""): void => {
    if (!has(kind)) plans.push({ kind, title: "", metric, x });
  };
  if (main) {
    const swept = [...coordinateValues(run.cases)].filter(([, values]) => values.length > 2);
    const [name, values] = swept[0] ?? ["", []];
    const numeric = values.every((value) => value.trim() !== "" && Number.isFinite(Number(value)));
    if (swept.length > 0 && numeric) add("sweep", main, name);
    // One group of bars per case, or there are more bars than anybody looks at.
    if (swept.length > 0 && !numeric && values.length === run.cases.length) add("bars", main, name);
    if (run.series.some(evolves)) add("rounds");
    if (run.series.some((series) => sends(series) && evolves(series))) add("bytes", main);
  }
  for (const kind of kByData) add(kind);
  return plans;
}

const kByData: FigurePlan["kind"][] = ["reliability", "abstention", "posterior-1d", "posterior-2d", "coefficients", "spread", "predicted", "coverage"];

// What a task is judged by first: log-likelihood, and what people understand at once beside it. Otherwise (toys) the
// first figure that has a better and a worse.
export function mainMetrics(run: Run): string[] {
  const pair = ["log_likelihood", "accuracy", "rmse"].filter((name) => run.series.some((series) => records(series, name)));
  const first = metricsOf([run]).find((metric) => metric.better !== "" && !kDiagnostics.includes(metric.name));
  return pair.length > 0 ? pair : first ? [first.name] : [];
}
