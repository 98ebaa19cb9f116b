// SPDX-License-Identifier: Apache-2.0
import { segments } from "./dom";
import { preference, setPreference, type Preference } from "./theme";

export function themeSwitch(): HTMLElement {
  const options: { value: Preference; text: string }[] = [
    { value: "auto", text: "Auto" },
    { value: "light", text: "Light" },
    { value: "dark", text: "Dark" },
  ];
  return segments("Colours", options, preference(), setPreference);
}
