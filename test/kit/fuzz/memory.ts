/** What the server has called things, so that calls are about things that exist. */
import type { Seen } from "./sample.ts";

export interface Memory {
  /** Remembers the names in what was said about a subject. */
  readonly learn: (subject: string, said: unknown) => void;
  readonly about: (subject: string) => Seen;
  readonly all: () => readonly string[];
}

const MAX_VALUES_PER_FIELD = 20;
const MAX_LEVELS = 6;
const MAX_NAME_CHARS = 200;
const NAMING = /(?:id|key|name|cursor|ref)$/i;

/** What is there from the beginning, and what agents understand. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  sessionKey: ["main", "notes", "agent:eng_1:main", "agent:hand:main", "agent:main:constructor"],
  key: ["main", "notes", "agent:eng_1:main", "agent:main:constructor"],
  channel: ["webchat"],
  to: ["main", "agent:main:main"],
  agentId: ["main", "eng_1", "hand"],
  tool: ["reply", "ask", "now", "agents_list"],
  agent_id: ["agent_bd", "agent_eng_1"],
  message: ["hello", "[[say: hi]]", "[[tool: valueOf {}]]", "[[ask: Which? | __proto__ | b]]"],
  text: ["A page about tides", "[[say: hi]]", "[[approve: shell ls]]"],
  prompt: ["a bot", "a page about tides"],
};

export function createMemory(): Memory {
  const seen = new Map<string, string[]>();

  function keep(place: string, name: string): void {
    const known = (seen.get(place) ?? []).filter((each) => each !== name);
    seen.set(place, [...known, name].slice(-MAX_VALUES_PER_FIELD));
  }

  function learn(subject: string, said: unknown, levels = MAX_LEVELS): void {
    if (typeof said !== "object" || said === null || levels === 0) return;
    for (const [field, value] of Object.entries(said)) {
      if (typeof value !== "string") learn(subject, value, levels - 1);
      else if (NAMING.test(field) && value !== "" && value.length < MAX_NAME_CHARS) {
        keep(`${subject} ${field}`, value);
        keep(field, value);
      }
    }
  }

  return {
    learn,
    about: (subject) => ({
      names: (field) => {
        const own = seen.get(`${subject} ${field}`) ?? [];
        const known = Object.hasOwn(KNOWN, field) ? (KNOWN[field] ?? []) : [];
        return own.length > 0 ? [...own, ...known] : [...(seen.get(field) ?? []), ...known];
      },
    }),
    all: () => [...seen.values()].flat(),
  };
}
