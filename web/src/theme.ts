// SPDX-License-Identifier: Apache-2.0
// Light and dark. Figures take their colours from here as plain values, because a saved picture has no style sheet.
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
}

// The hues follow Okabe and Ito, moved in lightness until each has a contrast of 3 with its paper and stays apart from
// the others for the three kinds of colour blindness; the tests measure both.
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
    blue: "#0b63b0",
    orange: "#d08700",
    green: "#00875f",
    red: "#c43c00",
    purple: "#b05a9c",
    brown: "#75512f",
    ink: "#2a333e",
  },
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
    blue: "#4ea3f2",
    orange: "#f5b83d",
    green: "#2fc496",
    red: "#f2703d",
    purple: "#d993c6",
    brown: "#b58b64",
    ink: "#e8edf3",
  },
};

export type Preference = "auto" | "light" | "dark";

const kKey = "fedstein-theme";
const listeners = new Set<() => void>();
const system = matchMedia("(prefers-color-scheme: dark)");

export function preference(): Preference {
  const chosen = document.documentElement.dataset["theme"];
  return chosen === "light" || chosen === "dark" ? chosen : "auto";
}

export function theme(): Theme {
  const chosen = preference();
  return (chosen === "auto" ? system.matches : chosen === "dark") ? kDark : kLight;
}

export function setPreference(chosen: Preference): void {
  if (chosen === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = chosen;
  // Pages opened from disk may have no storage; the choice then lasts as long as the page.
  try {
    localStorage.setItem(kKey, chosen);
  } catch {}
  for (const listener of listeners) listener();
}

export function startTheme(): void {
  try {
    const kept = localStorage.getItem(kKey);
    if (kept === "light" || kept === "dark") document.documentElement.dataset["theme"] = kept;
  } catch {}
  system.addEventListener("change", () => {
    for (const listener of listeners) listener();
  });
}

// Returns how to stop listening.
export function onThemeChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
