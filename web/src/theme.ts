// SPDX-License-Identifier: Apache-2.0
// Light and dark: what the reader chose, or what the system prefers.
import { kDark, kLight, type Theme } from "./palette";

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
