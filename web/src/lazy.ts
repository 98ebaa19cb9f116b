// SPDX-License-Identifier: Apache-2.0
// Draws what comes into sight, when it does.

export class Lazy {
  private near = false;
  private stale = true;

  private static readonly all = new Map<Element, Lazy>();
  private static readonly watcher = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) Lazy.all.get(entry.target)?.moved(entry.isIntersecting);
    },
    { rootMargin: "300px 0px" },
  );

  constructor(
    private readonly element: Element,
    private readonly draw: () => void,
  ) {
    Lazy.all.set(element, this);
    Lazy.watcher.observe(element);
  }

  // What was drawn no longer holds.
  refresh(): void {
    this.stale = true;
    if (this.near) this.now();
  }

  now(): void {
    if (!this.stale) return;
    this.stale = false;
    this.draw();
  }

  close(): void {
    Lazy.watcher.unobserve(this.element);
    Lazy.all.delete(this.element);
  }

  private moved(near: boolean): void {
    this.near = near;
    if (near) this.now();
  }

  // For printing: paper has no scroll bar.
  static everything(): void {
    for (const lazy of Lazy.all.values()) lazy.now();
  }
}
