/** What every door is fuzzed with: values by schema with something hostile in them, and a memory of the latest calls. */
import { createChance, type Chance } from "./chance.ts";
import { hostileText } from "./hostile.ts";
import { createMemory } from "./memory.ts";
import { mutate } from "./mutate.ts";
import { sample } from "./sample.ts";

export interface Place {
  readonly url: string;
  readonly wsUrl: string;
  readonly token: string;
}

/** One way into the server; each call is one thing sent to it, and resolves when it has been dealt with. */
export interface Door extends AsyncDisposable {
  readonly name: string;
  call(): Promise<void>;
}

export interface Fuzzer {
  readonly chance: Chance;
  /** Valid now and then, so that something happens; else with something hostile in it. */
  readonly make: (schema: object, subject?: string) => unknown;
  readonly text: () => string;
  /** Remembers what things are called in what was said about a subject. */
  readonly learn: (said: unknown, subject: string) => void;
  /** The latest calls, for whoever has to find out what did it. */
  readonly note: (door: string, sent: unknown) => void;
  readonly recent: readonly string[];
  /** What became of a call; a fuzzer whose calls are all refused at the door has seen no room. */
  readonly count: (door: string, what: "calls" | "taken") => void;
  readonly counts: ReadonlyMap<string, { readonly calls: number; readonly taken: number }>;
}

const MAX_RECENT = 40;
const MAX_NOTE_CHARS = 400;

export function createFuzzer(seed: number): Fuzzer {
  const chance = createChance(seed);
  const memory = createMemory();
  const recent: string[] = [];
  const counts = new Map<string, { readonly calls: number; readonly taken: number }>();
  return {
    chance,
    recent,
    counts,
    count(door, what) {
      const before = counts.get(door) ?? { calls: 0, taken: 0 };
      counts.set(door, { ...before, [what]: before[what] + 1 });
    },
    make(schema, subject = "") {
      const value = sample(schema, chance, memory.about(subject));
      return chance.percent(35) ? value : mutate(value, chance, memory.all());
    },
    text: () => hostileText(chance, memory.all()),
    learn: (said, subject) => memory.learn(subject, said),
    note(door, sent) {
      recent.push(`${door} ${JSON.stringify(sent)?.slice(0, MAX_NOTE_CHARS) ?? ""}`);
      if (recent.length > MAX_RECENT) recent.shift();
    },
  };
}

/** Whether it comes in time; what comes late is not waited for. */
export async function within<T>(ms: number, wanted: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([wanted, late]);
  } finally {
    clearTimeout(timer);
  }
}
