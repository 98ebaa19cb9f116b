// SPDX-License-Identifier: Apache-2.0
// The connection to the server: opened again whenever it is lost, from where it was, for as long as the page is open.

export type Line = "connecting" | "live" | "lost" | "crowded" | "locked";

export interface Heard {
  told: Record<string, unknown>;
  whole: boolean;
}

const kFirstPause = 500;
const kLongestPause = 8000;
const kSilence = 16_000; // ms; the server says something every 5 s

export class Feed {
  private source: EventSource | null = null;
  private last = ""; // id of the last event
  private pause = kFirstPause;
  private heard = Date.now();
  private timer = 0;

  constructor(
    private readonly onHeard: (heard: Heard) => void,
    private readonly onLine: (line: Line) => void,
  ) {
    this.open();
    setInterval(() => this.look(), 2000);
    // Whoever comes back to the page does not wait for the pause to end.
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && !this.source) this.open();
    });
  }

  private open(): void {
    clearTimeout(this.timer);
    const source = new EventSource(`events?after=${encodeURIComponent(this.last)}`);
    this.source = source;
    this.heard = Date.now();
    const take = (event: MessageEvent<string>, whole: boolean): void => {
      this.alive();
      this.last = event.lastEventId;
      this.onHeard({ told: JSON.parse(event.data) as Record<string, unknown>, whole });
    };
    source.addEventListener("open", () => this.alive());
    source.addEventListener("whole", (event) => take(event, true));
    source.addEventListener("change", (event) => take(event, false));
    source.addEventListener("beat", () => this.alive());
    source.addEventListener("error", () => void this.lost(source));
  }

  private alive(): void {
    this.heard = Date.now();
    this.pause = kFirstPause;
    this.onLine("live");
  }

  // A connection can die without a word.
  private look(): void {
    if (this.source && Date.now() - this.heard > kSilence) void this.lost(this.source);
  }

  private async lost(source: EventSource): Promise<void> {
    if (source !== this.source) return;
    source.close();
    this.source = null;
    const again = this.pause;
    this.pause = Math.min(kLongestPause, 2 * this.pause);
    this.timer = window.setTimeout(() => this.open(), again);
    this.onLine(await reason());
  }
}

// Why: an event source does not say.
async function reason(): Promise<Line> {
  try {
    const answer = await fetch("viewers", { signal: AbortSignal.timeout(3000) });
    if (answer.status === 401) return "locked";
    return answer.status === 503 ? "crowded" : "lost";
  } catch {
    return "lost";
  }
}
