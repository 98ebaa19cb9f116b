// SPDX-License-Identifier: Apache-2.0
// A slider over rounds, which can also run by itself.
import { h } from "../dom";

const kPerRound = 600; // milliseconds: slow enough to see what moved

export class RoundSlider {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly text = h("output", {});
  private readonly button: HTMLButtonElement;
  private timer: ReturnType<typeof setInterval> | undefined;

  // `rounds`: those that there is a picture of, rising. Starts at the last.
  constructor(
    private readonly rounds: number[],
    private readonly changed: () => void,
  ) {
    this.input = h("input", {
      type: "range",
      min: 0,
      max: Math.max(0, rounds.length - 1),
      step: 1,
      value: Math.max(0, rounds.length - 1),
      "aria-label": "Round",
      oninput: () => {
        this.stop();
        this.moved();
      },
    });
    this.button = h("button", { type: "button", onclick: () => (this.timer ? this.stop() : this.play()) }, "Play");
    this.element = h("div", { class: "slider" }, this.button, this.input, this.text);
    this.say();
  }

  get round(): number {
    return this.rounds[this.input.valueAsNumber] ?? 0;
  }

  private play(): void {
    if (this.input.valueAsNumber >= this.rounds.length - 1) this.input.value = "0";
    this.button.textContent = "Pause";
    this.moved();
    this.timer = setInterval(() => {
      this.input.stepUp();
      this.moved();
      // A page that no longer holds the slider lets go of the timer, too.
      if (this.input.valueAsNumber >= this.rounds.length - 1 || !this.input.isConnected) this.stop();
    }, kPerRound);
  }

  private stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.button.textContent = "Play";
  }

  private moved(): void {
    this.say();
    this.changed();
  }

  private say(): void {
    const text = `Round ${this.round} of ${this.rounds.at(-1) ?? 0}`;
    this.text.textContent = text;
    this.input.setAttribute("aria-valuetext", text);
  }
}

export const roundsOf = (all: { frames: { round: number }[] }[]): number[] =>
  [...new Set(all.flatMap((one) => one.frames.map((frame) => frame.round)))].sort((a, b) => a - b);

// The picture of a round, or of the latest one before it.
export function frameAt<T extends { round: number }>(frames: T[], round: number): T | undefined {
  return frames.filter((frame) => frame.round <= round).at(-1) ?? frames[0];
}
