// SPDX-License-Identifier: Apache-2.0
// Where names at the ends of curves go, and how much of them fits.

export const kLabelFont = 11;
export const kLabelRow = 13;
export const kLead = 12; // from the end of the axis to the marker
export const kMarker = 9;

const kMostLabels = 12;
const kMostShare = 0.4; // of a panel's width
const kLeastRoom = 40; // for letters: less says nothing

export type WidthOf = (text: string) => number;

// How many pixels names need on the right; 0: there is no room for them, or nothing to tell apart.
export function labelRoom(names: string[], width: number, widthOf: WidthOf): number {
  if (names.length < 2 || names.length > kMostLabels) return 0;
  const most = Math.floor(kMostShare * width) - kLead - kMarker;
  if (most < kLeastRoom) return 0;
  return kLead + kMarker + Math.min(most, Math.ceil(Math.max(...names.map(widthOf))) + 2);
}

export function shortened(name: string, room: number, widthOf: WidthOf): string {
  const most = room - kLead - kMarker;
  if (widthOf(name) <= most) return name;
  let letters = name.length - 1;
  while (letters > 1 && widthOf(`${name.slice(0, letters).trimEnd()}…`) > most) --letters;
  return `${name.slice(0, letters).trimEnd()}…`;
}

// Places as near to the wanted ones as can be, in their order, `gap` apart and between low and high: least squares by
// pooling neighbours that are in each other's way.
export function movedApart(wanted: number[], gap: number, low: number, high: number): number[] {
  const order = wanted.map((_, at) => at).sort((a, b) => wanted[a]! - wanted[b]! || a - b);
  const blocks: { sum: number; count: number }[] = [];
  order.forEach((index, rank) => {
    blocks.push({ sum: wanted[index]! - rank * gap, count: 1 });
    while (blocks.length > 1) {
      const [before, last] = [blocks.at(-2)!, blocks.at(-1)!];
      if (before.sum / before.count <= last.sum / last.count) break;
      blocks.splice(-2, 2, { sum: before.sum + last.sum, count: before.count + last.count });
    }
  });
  const out = new Array<number>(wanted.length).fill(0);
  const ceiling = Math.max(low, high - (wanted.length - 1) * gap);
  let rank = 0;
  for (const { sum, count } of blocks) {
    for (let i = 0; i < count; ++i, ++rank) out[order[rank]!] = Math.min(ceiling, Math.max(low, sum / count)) + rank * gap;
  }
  return out;
}
