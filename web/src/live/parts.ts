// SPDX-License-Identifier: Apache-2.0
// What the server tells a live page: named parts, of which it sends those that have changed. Series become those of
// data.ts, so that the report's figures draw them.
import type { Case, FigurePlan, Reliability, Value } from "../data";

export interface RunFacts {
  kind: "run" | "federation";
  name: string;
  title: string;
  started: string;
  version: string;
  command: string;
  trials: number;
}

export interface Progress {
  state: "running" | "finished" | "stopped";
  jobs: number;
  jobs_done: number;
  jobs_failed: number;
  rounds: number;
  rounds_done: number;
  bytes_up: number; // numbers alone, by all agents in all rounds
  bytes_down: number;
  seconds_left: Value;
}

export interface Federation {
  state: "enrolling" | "running" | "finished";
  round: number;
  rounds: number;
  address: string;
  strangers: number; // refused
  troubles: string[];
}

export type AgentState = "working" | "here" | "away" | "left" | "barred" | "new";

export interface AgentFacts {
  name: string;
  state: AgentState;
  waited_for: boolean; // the round does not end without it, or not before its deadline
  since: string; // UTC, while it is away; "": it is here, or was never
  why: string;
  rows: number;
}

export type AgentCounts = [counted: number, lapses: number, missed: number, failures: number, refused: number, received: number, sent: number];

export interface Agent extends AgentFacts {
  counts: AgentCounts;
}

export interface ServerEvent {
  at: string;
  kind: string;
  agent: string;
  detail: string;
  reason: string;
  times: number;
}

// One letter a trial: w(aiting), r(unning), d(one), f(ailed).
export interface Jobs {
  states: string;
  at_work: [trial: number, round: number, rounds: number, secondsLeft: Value][];
  errors: [trial: number, error: string][];
  lost: [trial: number, rounds: number, reason: string][]; // rounds that took nobody's update in
}

export interface SeriesFacts {
  case: number;
  algorithm: string;
  method: string;
  centralised: boolean;
  trials: number;
  stride: number; // one of so many evaluated rounds is drawn
}

export interface Piece {
  rounds: number[];
  bytes: number[];
  seconds: number[];
  figures: Record<string, { mean: Value[]; error?: Value[] }>;
}

export type LiveCase = Pick<Case, "name" | "coordinates" | "agents" | "dataset" | "model">;

export class Parts {
  private readonly all = new Map<string, unknown>();

  // `whole`: what is not in it is no more. Returns the names of what is another now.
  take(told: Record<string, unknown>, whole: boolean): Set<string> {
    const changed = new Set<string>();
    if (whole) {
      for (const name of this.all.keys()) if (!Object.hasOwn(told, name)) changed.add(name);
      for (const name of changed) this.all.delete(name);
    }
    for (const [name, part] of Object.entries(told)) {
      changed.add(name);
      if (part === null) this.all.delete(name);
      else this.all.set(name, part);
    }
    return changed;
  }

  get run(): RunFacts | undefined {
    return this.all.get("run") as RunFacts | undefined;
  }
  get progress(): Progress | undefined {
    return this.all.get("progress") as Progress | undefined;
  }
  get federation(): Federation | undefined {
    return this.all.get("federation") as Federation | undefined;
  }
  get trouble(): string {
    return (this.all.get("trouble") as string | undefined) ?? "";
  }
  get cases(): LiveCase[] {
    return (this.all.get("cases") as LiveCase[] | undefined) ?? [];
  }
  get figures(): FigurePlan[] {
    return (this.all.get("figures") as FigurePlan[] | undefined) ?? [];
  }
  get events(): ServerEvent[] {
    return (this.all.get("events") as ServerEvent[] | undefined) ?? [];
  }
  get agents(): Agent[] {
    return this.counted<AgentFacts>("agent").map((facts, at) => ({ ...facts, counts: (this.all.get(`agent.${at}.counts`) as AgentCounts | undefined) ?? [0, 0, 0, 0, 0, 0, 0] }));
  }
  get series(): SeriesFacts[] {
    return this.counted<SeriesFacts>("series");
  }
  get jobs(): Jobs[] {
    return this.counted<Jobs>("jobs");
  }
  pieces(series: number): Piece[] {
    return this.counted<Piece>(`series.${series}`);
  }
  reliability(series: number): Reliability | undefined {
    return this.all.get(`reliability.${series}`) as Reliability | undefined;
  }

  // NAME.0, NAME.1, ... as far as they go.
  private counted<T>(name: string): T[] {
    const out: T[] = [];
    for (let at = 0; this.all.has(`${name}.${at}`); ++at) out.push(this.all.get(`${name}.${at}`) as T);
    return out;
  }
}
