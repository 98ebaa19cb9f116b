// SPDX-License-Identifier: Apache-2.0
// Elements from values. Text always becomes a text node: names in a report come from files and are never markup.

export type Child = Node | string | number | null | undefined | false;
export type Attributes = Record<string, string | number | boolean | undefined | ((event: Event) => void)>;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Child | Child[])[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...nodes(children.flat()));
  return element;
}

function nodes(children: Child[]): (Node | string)[] {
  const kept: (Node | string)[] = [];
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    kept.push(typeof child === "number" ? String(child) : child);
  }
  return kept;
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number> = {},
  ...children: (Node | string)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

// A choice among named values. `changed` gets the value, not the event.
export function choice<T extends string>(
  label: string,
  options: { value: T; text: string }[],
  selected: T,
  changed: (value: T) => void,
): HTMLLabelElement {
  const select = h(
    "select",
    // Named by itself: a label's text would include every option.
    { "aria-label": label, onchange: () => changed(select.value as T) },
    options.map((option) => h("option", { value: option.value, selected: option.value === selected }, option.text)),
  );
  return h("label", { class: "field" }, h("span", {}, label), select);
}

// A choice of two or three, all in sight.
export function segments<T extends string>(
  label: string,
  options: { value: T; text: string }[],
  selected: T,
  changed: (value: T) => void,
): HTMLElement {
  const buttons = options.map((option) =>
    h(
      "button",
      {
        type: "button",
        "aria-pressed": String(option.value === selected),
        onclick: () => {
          for (const button of buttons) button.setAttribute("aria-pressed", String(button === buttons[options.indexOf(option)]));
          changed(option.value);
        },
      },
      option.text,
    ),
  );
  return h("div", { class: "segments", role: "group", "aria-label": label }, buttons);
}

// On or off.
export function toggle(label: string, on: boolean, changed: (on: boolean) => void): HTMLButtonElement {
  const button = h(
    "button",
    {
      type: "button",
      class: "toggle",
      "aria-pressed": String(on),
      onclick: () => {
        const next = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", String(next));
        changed(next);
      },
    },
    label,
  );
  return button;
}
