// SPDX-License-Identifier: Apache-2.0
// The parts as a run of data.ts, kept up to date in place: the report's figures hold on to it and draw it again.
import type { Averaged, Run, Series, Value } from "../data";
import { named } from "../names";
import type { Parts, Piece, SeriesFacts } from "./parts";

export class LiveRun {
  readonly run: Run = emptyRun();

  // Takes over what has changed. Returns whether other figures are needed than before: other methods, metrics or kinds
  // of data.
  update(parts: Parts, changed: Set<string>): boolean {
    const before = this.shape();
    const { run } = this;
    const facts = parts.run;
    if (facts) Object.assign(run, { name: facts.name, title: facts.title, started: facts.started, version: facts.version, command: facts.command, trials: facts.trials });
    if (changed.has("cases")) run.cases = parts.cases.map((one) => ({ ...one, split: "", rows: null, standing: null, guess: null }));
    if (changed.has("figures")) run.figures = parts.figures;
    const series = parts.series;
    run.series.length = Math.min(run.series.length, series.length);
    series.forEach((one, at) => {
      const own = `series.${at}`;
      if (run.series[at] && ![...changed].some((name) => name === own || name.startsWith(`${own}.`))) return;
      run.series[at] = seriesOf(one, parts.pieces(at));
    });
    run.reliability = series.flatMap((one, at) => {
      const found = parts.reliability(at);
      return found ? [{ ...found, algorithm: named(one.algorithm, one.method) }] : [];
    });
    return this.shape() !== before;
  }

  private shape(): string {
    const { cases, series, reliability, figures, trials } = this.run;
    const of = (one: Series): unknown => [one.algorithm, one.case, Object.keys(one.figures), Math.min(2, one.rounds.length), one.bytes.some((value) => value > 0)];
    return JSON.stringify([cases.map((one) => one.name), series.map(of), reliability.map((one) => [one.case, one.algorithm]), figures, trials]);
  }
}

function seriesOf(facts: SeriesFacts, pieces: Piece[]): Series {
  const names = [...new Set(pieces.flatMap((piece) => Object.keys(piece.figures)))];
  return {
    case: facts.case,
    algorithm: named(facts.algorithm, facts.method),
    method: facts.method,
    centralised: facts.centralised,
    trials: facts.trials,
    rounds: pieces.flatMap((piece) => piece.rounds),
    bytes: pieces.flatMap((piece) => piece.bytes).map((value) => (facts.centralised ? 0 : value)),
    seconds: pieces.flatMap((piece) => piece.seconds),
    figures: Object.fromEntries(names.map((name) => [name, averaged(name, pieces)])),
    activity: null,
    failures: [],
    errors: [],
  };
}

function averaged(name: string, pieces: Piece[]): Averaged {
  const missing = (piece: Piece): Value[] => piece.rounds.map(() => null);
  const own = (piece: Piece): { mean: Value[]; error?: Value[] } | undefined => (Object.hasOwn(piece.figures, name) ? piece.figures[name] : undefined);
  return {
    mean: pieces.flatMap((piece) => own(piece)?.mean ?? missing(piece)),
    error: pieces.flatMap((piece) => own(piece)?.error ?? missing(piece)),
  };
}

function emptyRun(): Run {
  const texts = { name: "", title: "", started: "", finished: "", version: "", precision: "", seed: "", command: "", document: "" };
  const lists = { cases: [], series: [], reliability: [], abstention: [], posterior1d: [], posterior2d: [], coefficients: [], layers: [], predicted: [], coverage: [], maps: [], figures: [], claims: [], warnings: [] };
  return { ...texts, ...lists, trials: 1, host: {}, configuration: {}, comparison: null };
}
