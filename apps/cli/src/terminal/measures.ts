/** Times, sizes and counts as a person would say them. */
import { homedir } from "node:os";
import { sep } from "node:path";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function duration(ms: number): string {
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return two(ms, [HOUR, "h"], [MINUTE, "min"]);
  return two(ms, [DAY, "d"], [HOUR, "h"]);
}

function two(ms: number, [big, bigName]: Unit, [small, smallName]: Unit): string {
  const rest = Math.floor((ms % big) / small);
  const whole = `${Math.floor(ms / big)} ${bigName}`;
  return rest === 0 ? whole : `${whole} ${rest} ${smallName}`;
}

type Unit = readonly [ms: number, name: string];

export function ago(ms: number): string {
  return ms < MINUTE ? "just now" : `${duration(ms)} ago`;
}

const UNITS = ["B", "kB", "MB", "GB", "TB"];

export function size(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const scaled = bytes / 1_000 ** power;
  return `${scaled.toFixed(scaled < 10 && power > 0 ? 1 : 0)} ${UNITS[power] ?? ""}`;
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en-US")} ${number === 1 ? one : many}`;
}

/** A path with the reader's home as `~`. */
export function shortPath(path: string): string {
  const home = homedir();
  return path === home || path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}
