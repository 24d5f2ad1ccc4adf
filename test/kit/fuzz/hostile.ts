/** Names, texts and values that have broken programs before. */
import type { Chance } from "./chance.ts";

const NAMES = [
  "__proto__",
  "constructor",
  "prototype",
  "hasOwnProperty",
  "toString",
  "valueOf",
  "then",
  "toJSON",
  "length",
  "__defineGetter__",
  "isPrototypeOf",
];

const TEXTS = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udfff\ud800",
  "\u001b[2J\u001b]0;title\u0007",
  "\u202egnp.exe",
  "\u2066\u2069\u200b\ufeff",
  "../../../../etc/passwd",
  "..\\..\\x",
  "/",
  ".",
  "%00",
  "%2e%2e%2f",
  "a/b/c",
  "agent:main:main",
  "agent:__proto__:constructor",
  "agent::",
  ":",
  "0",
  "-1",
  "1e309",
  "99999999999999999999",
  "NaN",
  "null",
  "undefined",
  "true",
  "'; drop table entries; --",
  "<script>alert(1)</script>",
  "${7*7}{{7*7}}",
  "$&$1$`",
  "(a+)+$",
  "[",
  "*",
  "\r\nSet-Cookie: a=b",
  "data: x\n\nevent: y\n\n",
  "[[say: hi]]",
  "[[tool: constructor {}]]",
  '[[tool: __proto__ {"__proto__":{"a":1}}]]',
  "[[ask: __proto__ | constructor | toString]]",
  "[[approve: constructor __proto__]]",
  "[[fail: toString]]",
  "/stop",
  "/status constructor",
  "👩‍👩‍👧‍👦".repeat(40),
];

const NUMBERS = [0, -0, -1, 0.5, 1e308, -1e308, 2 ** 31, 2 ** 53, -(2 ** 53) - 2, 5e-324];

const MEGABYTE = "m".repeat(1024 * 1024);

export function hostileText(chance: Chance, ids: readonly string[] = []): string {
  if (chance.percent(0.5)) return MEGABYTE;
  if (chance.percent(40)) return chance.pick(NAMES);
  if (ids.length > 0 && chance.percent(25)) return chance.pick(ids);
  return chance.pick(TEXTS);
}

export function hostileName(chance: Chance): string {
  return chance.pick(NAMES);
}

export function hostileNumber(chance: Chance): number {
  return chance.pick(NUMBERS);
}

export function hostileValue(chance: Chance, ids: readonly string[]): unknown {
  switch (chance.below(8)) {
    case 0:
      return chance.pick(NUMBERS);
    case 1:
      return chance.pick([null, true, false, [], {}]);
    case 2:
      return deep(chance.pick([50, 99, 101, 3_000]));
    case 3:
      return Object.fromEntries([[chance.pick(NAMES), hostileText(chance, ids)]]);
    case 4:
      return [hostileText(chance, ids), chance.pick(NUMBERS)];
    default:
      return hostileText(chance, ids);
  }
}

function deep(levels: number): unknown {
  let value: unknown = "bottom";
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}
