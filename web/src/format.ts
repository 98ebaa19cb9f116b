// SPDX-License-Identifier: Apache-2.0
// Numbers, sizes and times as a reader wants them. A true minus sign, so that columns of figures line up.
import type { Value } from "./data";

const kMissing = "–";

export function number(value: Value | undefined, digits = 4): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return kMissing;
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e6 || size < 1e-4 ? value.toExponential(digits - 2) : plain(value, digits);
  return text.replace("-", "−");
}

function plain(value: number, digits: number): string {
  if (Number.isInteger(value)) return String(value);
  const before = Math.max(0, Math.floor(Math.log10(Math.abs(value))) + 1);
  return value.toFixed(Math.max(0, digits - before));
}

// mean ± error, the mean to the digit that the error reaches.
export function plusMinus(mean: Value | undefined, error: Value | undefined): string {
  if (mean === null || mean === undefined) return kMissing;
  if (error === null || error === undefined || error === 0 || !Number.isFinite(error)) return number(mean);
  const size = Math.max(Math.abs(mean), Math.abs(error));
  if (size >= 1e6 || size < 1e-4) return `${number(mean)} ± ${number(error, 3)}`;
  const digits = Math.min(8, Math.max(0, 1 - Math.floor(Math.log10(error))));
  return `${mean.toFixed(digits)} ± ${error.toFixed(digits)}`.replaceAll("-", "−");
}

export function bytes(value: Value | undefined): string {
  if (value === null || value === undefined) return kMissing;
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    ++unit;
  }
  return `${unit === 0 ? Math.round(value) : Number(value.toPrecision(3))} ${units[unit]}`;
}

export function seconds(value: Value | undefined): string {
  if (value === null || value === undefined) return kMissing;
  if (value < 60) return `${Number(value.toPrecision(3))} s`;
  if (value < 3600) return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
  return `${Math.floor(value / 3600)} h ${Math.round((value % 3600) / 60)} min`;
}

// "2025-03-01T12:34:56Z" as "1 March 2025, 12:34 UTC": the same on every reader's machine.
export function date(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso || kMissing;
  const day = time.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  return `${day}, ${time.toISOString().slice(11, 16)} UTC`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${whole(count)} ${count === 1 ? one : many}`;
}

// A count, with thin gaps between its thousands.
export const whole = (count: number): string => (Math.abs(count) < 1e4 ? String(count) : String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f"));
