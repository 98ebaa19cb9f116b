// SPDX-License-Identifier: Apache-2.0
// The colours of the figures, as plain values: a saved picture has no style sheet.
import type { Hue } from "./methods";

export interface Theme {
  name: "light" | "dark";
  paper: string;
  ink: string;
  soft: string; // secondary text, axes
  line: string; // grid
  exact: string; // the shaded exact posterior
  accent: string;
  bad: string;
  hues: Record<Hue, string>;
  // Sequential scales of maps, from least to most. Lightness alone tells their order, so that nobody needs the hues.
  chance: string[];
  doubt: string[];
}

// The hues follow Okabe and Ito, moved in lightness until each has a contrast of 3 with its paper and stays apart from
// the others for the three kinds of colour blindness; test/looks.test.js measures both.
export const kLight: Theme = {
  name: "light",
  paper: "#ffffff",
  ink: "#1b2430",
  soft: "#586472",
  line: "#e3e8ee",
  exact: "#c3cedb",
  accent: "#0b63b0",
  bad: "#c2410c",
  hues: {
    blue: "#0d59b4",
    orange: "#ce8000",
    green: "#028c68",
    red: "#b84d00",
    purple: "#ac69b3",
    brown: "#6b4423",
    ink: "#2a333e",
  },
  chance: ["#fdf6da", "#cfe3c4", "#8cc0bd", "#4a93b5", "#2463a0", "#142f6b"],
  doubt: ["#fffdf9", "#fbe3c0", "#f3b877", "#df833a", "#ad4d17", "#5f2208"],
};

export const kDark: Theme = {
  name: "dark",
  paper: "#141a22",
  ink: "#e8edf3",
  soft: "#9dabbb",
  line: "#2a333f",
  exact: "#45566b",
  accent: "#6cb6ff",
  bad: "#ff8a5b",
  hues: {
    blue: "#6198f8",
    orange: "#f7b733",
    green: "#24db93",
    red: "#fa793e",
    purple: "#c595bf",
    brown: "#a97a7e",
    ink: "#e8edf3",
  },
  chance: ["#10193a", "#1d3f78", "#2f6f9f", "#58a3b0", "#a3d0b6", "#f6f1c5"],
  doubt: ["#14171c", "#45220f", "#803a12", "#bf631f", "#eda04c", "#fde3b0"],
};
