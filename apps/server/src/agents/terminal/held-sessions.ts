/**
 * Which sessions are in a terminal, and which process has each. Each is a file in the home, written before anyone is told
 * to go on: a server that was started again leaves the session alone until that process is gone.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Compile, Type, type Static } from "@atrium/schema";
import type { Timers } from "../../platform/timers.ts";
import type { Turn } from "../turn/agent-runtime.ts";

const HeldSession = Type.Object({
  id: Type.String({ pattern: "^[A-Za-z0-9_-]{1,64}$" }),
  key: Type.String(),
  sessionId: Type.String(),
  /** Who has taken it. */
  by: Type.String(),
  since: Type.Number(),
  /** What tells it from a later one with the same number. */
  process: Type.String(),
});
const isHeldSession = Compile(HeldSession);

export type HeldSession = Readonly<Static<typeof HeldSession>>;

export interface HeldSessionsDeps {
  readonly folder: string;
  /** Begins with the number of the process; undefined: there is none. */
  readonly identityOf: (pid: number) => string | undefined;
  readonly timers: Timers;
}

interface Hold {
  readonly session: HeldSession;
  readonly released: PromiseWithResolvers<void>;
}

type Conversation = Turn["conversation"];

const LOOK_EVERY_MS = 500;

export class HeldSessions implements Disposable {
  readonly #deps: HeldSessionsDeps;
  readonly #holds = new Map<string, Hold>();
  #stopLooking: (() => void) | undefined;

  constructor(deps: HeldSessionsDeps) {
    this.#deps = deps;
    for (const session of this.#readFiles()) this.#keep(session);
    this.#lookSoon();
  }

  of({ key, sessionId }: Conversation): HeldSession | undefined {
    const sessions = [...this.#holds.values()].map(({ session }) => session);
    return sessions.find((one) => one.key === key && one.sessionId === sessionId);
  }

  take(session: HeldSession): void {
    const { folder } = this.#deps;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(this.#fileOf(session.id), JSON.stringify(session), { mode: 0o600 });
    this.#keep(session);
    this.#lookSoon();
  }

  /** Resolves once it has been given back. */
  async released(id: string): Promise<void> {
    await this.#holds.get(id)?.released.promise;
  }

  [Symbol.dispose](): void {
    this.#stopLooking?.();
  }

  #keep(session: HeldSession): void {
    this.#holds.set(session.id, { session, released: Promise.withResolvers<void>() });
  }

  #release({ session: { id }, released }: Hold): void {
    this.#holds.delete(id);
    rmSync(this.#fileOf(id), { force: true });
    released.resolve();
  }

  #lookSoon(): void {
    if (this.#stopLooking !== undefined || this.#holds.size === 0) return;
    this.#stopLooking = this.#deps.timers.after(LOOK_EVERY_MS, () => {
      this.#stopLooking = undefined;
      for (const hold of this.#holds.values()) {
        if (!this.#isAlive(hold.session)) this.#release(hold);
      }
      this.#lookSoon();
    });
  }

  #isAlive({ process }: HeldSession): boolean {
    return this.#deps.identityOf(Number.parseInt(process, 10)) === process;
  }

  #fileOf(id: string): string {
    return join(this.#deps.folder, `${id}.json`);
  }

  /** One that was cut off while it was written has not been handed to anybody. */
  #readFiles(): HeldSession[] {
    const { folder } = this.#deps;
    return filesIn(folder).flatMap((name) => {
      const session = readJson(join(folder, name));
      if (isHeldSession.Check(session) && name === `${session.id}.json`) return [session];
      rmSync(join(folder, name), { force: true });
      return [];
    });
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch {
    // Nobody has taken one yet.
    return [];
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
