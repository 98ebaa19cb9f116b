// SPDX-License-Identifier: Apache-2.0
// A figure that is made anew because another method or metric has come keeps what a reader has chosen in it.
export function carryOver(before: HTMLElement, now: HTMLElement): void {
  for (const select of now.querySelectorAll("select")) {
    const old = [...before.querySelectorAll("select")].find((one) => nameOf(one) === nameOf(select));
    if (!old || old.value === select.value || ![...select.options].some((option) => option.value === old.value)) continue;
    select.value = old.value;
    select.dispatchEvent(new Event("change"));
  }
  for (const state of ["aria-pressed", "aria-expanded"]) {
    for (const button of now.querySelectorAll<HTMLButtonElement>(`button[${state}]`)) {
      const old = [...before.querySelectorAll(`button[${state}]`)].find((one) => nameOf(one) === nameOf(button));
      if (old && old.getAttribute(state) !== button.getAttribute(state)) button.click();
    }
  }
}

const nameOf = (element: Element): string => element.getAttribute("aria-label") ?? element.textContent ?? "";
