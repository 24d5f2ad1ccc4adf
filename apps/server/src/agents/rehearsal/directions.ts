/**
 * Stage directions: `[[say: text]]` and its kin, found in a message.
 *
 * What is not a direction is left in `rest` as it was written. One that was meant and is not well
 * formed is a direction too, of kind `malformed`, so that its author is told what it should look like.
 * docs/rehearsal.md is for those who write them.
 */
import { readJson } from "@atrium/wire";

export type Direction =
  | { readonly type: "ask"; readonly question: string; readonly options: readonly string[] }
  | { readonly type: "approve"; readonly tool: string; readonly summary: string }
  | { readonly type: "tool"; readonly name: string; readonly input: unknown }
  | { readonly type: "say"; readonly text: string }
  | { readonly type: "sleep"; readonly ms: number }
  | { readonly type: "tokens"; readonly count: number }
  | { readonly type: "fail"; readonly reason: string }
  | { readonly type: "hang" }
  | { readonly type: "malformed"; readonly advice: string };

type Word = Exclude<Direction["type"], "malformed">;

/** What each should look like, in the order of docs/rehearsal.md. */
const SHAPES: Readonly<Record<Word, string>> = {
  say: "[[say: text]]",
  ask: "[[ask: Which audience? | Tech users | General consumers]]",
  approve: "[[approve: shell npm publish]]",
  tool: '[[tool: search {"q":"x"}]]',
  sleep: "[[sleep: 5s]] (ms, s or m, at most 60m)",
  tokens: "[[tokens: 5000]] (at most 100000000)",
  fail: "[[fail: reason]]",
  hang: "[[hang]]",
};

const OPENING = /\[\[\s*([a-z]+)\s*(:|\]\])/i;
const CLOSING = "]]";
const MAX_ATTEMPTS = 32;
const MAX_SLEEP_MS = 3_600_000;
const MAX_TOKENS = 100_000_000;
const UNITS = { ms: 1, s: 1_000, m: 60_000 } as const;

export interface Directed {
  readonly directions: readonly Direction[];
  readonly rest: string;
}

export function readDirections(message: string): Directed {
  const directions: Direction[] = [];
  const lastClosing = message.lastIndexOf(CLOSING);
  let rest = "";
  let at = 0;
  for (;;) {
    const found = OPENING.exec(message.slice(at));
    if (found === null) return { directions, rest: (rest + message.slice(at)).trim() };
    const [opening, written = "", mark] = found;
    const start = at + found.index + opening.length;
    const hasBody = mark === ":";
    // Looked for once: a message full of openings must not be searched to its end for each of them.
    const end = hasBody && start <= lastClosing ? message.indexOf(CLOSING, start) : -1;
    const read = readOne(message, { word: written.toLowerCase(), start, end, hasBody });
    rest += found.input.slice(0, found.index);
    if (read === undefined) {
      rest += opening;
      at = start;
    } else {
      directions.push(read.direction);
      at = read.end;
    }
  }
}

/** Where a direction opens, and where the first closing brackets after it are, or -1. */
interface Opened {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  readonly hasBody: boolean;
}

interface Read {
  readonly direction: Direction;
  readonly end: number;
}

function readOne(message: string, { word, start, end, hasBody }: Opened): Read | undefined {
  if (!isWord(word)) {
    // Double brackets are other things too; only what has the form of a direction is meant as one.
    if (end === -1) return undefined;
    const advice = `There is no stage direction "${word}"; these exist: ${Object.values(SHAPES).join(", ")}.`;
    return { direction: { type: "malformed", advice }, end: end + CLOSING.length };
  }
  if (!hasBody) {
    return { direction: word === "hang" ? { type: "hang" } : malformed(word), end: start };
  }
  if (end === -1) {
    const advice = `The stage direction "${word}" is not closed; it should look like ${SHAPES[word]}.`;
    return { direction: { type: "malformed", advice }, end: message.length };
  }
  const upTo = (close: number): Read => ({
    direction: readBody(word, message.slice(start, close).trim()),
    end: close + CLOSING.length,
  });
  // Brackets inside a tool's JSON may look like the end; the end is where the JSON is whole.
  let close = end;
  for (let tries = word === "tool" ? MAX_ATTEMPTS : 1; tries > 0 && close !== -1; tries--) {
    const read = upTo(close);
    if (read.direction.type !== "malformed") return read;
    close = message.indexOf(CLOSING, close + 1);
  }
  return upTo(end);
}

function readBody(word: Word, body: string): Direction {
  if (body === "") return malformed(word);
  switch (word) {
    case "say":
      return { type: "say", text: body };
    case "fail":
      return { type: "fail", reason: body };
    case "ask": {
      const [question = "", ...options] = body.split("|").map((part) => part.trim());
      if (question === "" || options.includes("")) return malformed(word);
      return { type: "ask", question, options };
    }
    case "approve": {
      const [, tool, summary] = /^(\S+)\s+(.+)$/s.exec(body) ?? [];
      if (tool === undefined || summary === undefined) return malformed(word);
      return { type: "approve", tool, summary };
    }
    case "tool":
      return readTool(body);
    case "sleep":
      return readSleep(body);
    case "tokens": {
      const count = /^\d+$/.test(body) ? Number(body) : -1;
      if (count < 0 || count > MAX_TOKENS) return malformed(word);
      return { type: "tokens", count };
    }
    case "hang":
      return malformed(word);
  }
}

function readTool(body: string): Direction {
  const [, name = "", json] = /^([^\s{]+)\s*(\{.*\})?$/s.exec(body) ?? [];
  if (name === "") return malformed("tool");
  if (json === undefined) return { type: "tool", name, input: {} };
  const { value: input, problem } = readJson(json);
  return problem === undefined ? { type: "tool", name, input } : malformed("tool");
}

function readSleep(body: string): Direction {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*(ms|s|m)$/i.exec(body) ?? [];
  const lower = unit?.toLowerCase();
  if (lower !== "ms" && lower !== "s" && lower !== "m") return malformed("sleep");
  const ms = Math.round(Number(amount) * UNITS[lower]);
  return ms > MAX_SLEEP_MS ? malformed("sleep") : { type: "sleep", ms };
}

function malformed(word: Word): Direction {
  return {
    type: "malformed",
    advice: `The stage direction "${word}" should look like ${SHAPES[word]}.`,
  };
}

function isWord(word: string): word is Word {
  return Object.hasOwn(SHAPES, word);
}
