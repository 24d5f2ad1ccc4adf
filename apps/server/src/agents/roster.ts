/**
 * The runtimes that drive the crew now. Settings change while turns run: a turn ends with the runtime it
 * began with, which is closed after its last turn; turns that begin later have the new one.
 *
 *   prepare (makes what is new, may refuse) -> commit (swaps) | discard
 */
import { Fault } from "@atrium/core";
import { own } from "@atrium/wire";
import type { CrewSettings } from "./crew.ts";
import {
  bringsAnything,
  forAgent,
  type Brought,
  type PlacedSettings,
} from "./settings/brought-settings.ts";
import { envNamesIn } from "./settings/mcp-server-settings.ts";
import type { RuntimeSettings } from "./settings/runtime-settings.ts";
import type { AgentRuntime, TurnEvent } from "./turn/agent-runtime.ts";

export interface RosterSettings {
  readonly crew: readonly Pick<CrewSettings, "id" | "runtime" | "cwd" | "mcpServers" | "skills">[];
  readonly runtimes: Readonly<Record<string, RuntimeSettings>>;
  /** What they bring is for whoever works in them. */
  readonly repositories?: readonly (Brought & { readonly id: string })[];
}

export type ReadKey = (name: string) => string | undefined;

export interface RosterDeps {
  /** Throws a ConfigError where the settings do not do. */
  readonly create: (
    name: string,
    settings: PlacedSettings,
    readKey: ReadKey,
  ) => Promise<AgentRuntime>;
  readonly report: (fault: Fault) => void;
}

export interface PreparedRoster {
  readonly commit: () => void;
  /** Closes what was made for it. */
  readonly discard: () => Promise<void>;
}

export interface Roster {
  /** `repositoryId`: where it works, if it works in one. */
  readonly runtimeOf: (agentId: string, repositoryId?: string) => AgentRuntime;
  prepare(settings: RosterSettings, readKey: ReadKey): Promise<PreparedRoster>;
  close(): Promise<void>;
}

/** One runtime in one folder. */
class Post {
  readonly print: string;
  readonly runtime: AgentRuntime;
  readonly #report: RosterDeps["report"];
  #turns = 0;
  #isRetired = false;
  #closed: Promise<void> | undefined;

  constructor(print: string, runtime: AgentRuntime, report: RosterDeps["report"]) {
    this.print = print;
    this.runtime = runtime;
    this.#report = report;
  }

  get isRetired(): boolean {
    return this.#isRetired;
  }

  async *start(...turn: Parameters<AgentRuntime["start"]>): AsyncGenerator<TurnEvent> {
    this.#turns += 1;
    try {
      yield* this.runtime.start(...turn);
    } finally {
      this.#turns -= 1;
      if (this.#isRetired && this.#turns === 0) await this.close();
    }
  }

  /** No turn begins here any more. */
  retire(): void {
    this.#isRetired = true;
    if (this.#turns === 0) void this.close();
  }

  close(): Promise<void> {
    this.#closed ??= Promise.resolve(this.runtime.close?.()).catch((cause: unknown) =>
      this.#report(new Fault("a runtime could not be closed", { name: this.runtime.name }, cause)),
    );
    return this.#closed;
  }
}

export function createRoster({ create, report }: RosterDeps): Roster {
  let posts: ReadonlyMap<string, Post> = new Map();
  let placeOf: ReadonlyMap<string, string> = new Map();
  const retired = new Set<Post>();

  function postOf(agentId: string, repositoryId: string | undefined): Post {
    const place = placeOf.get(seatOf(agentId, repositoryId)) ?? placeOf.get(seatOf(agentId));
    const post = posts.get(place ?? "");
    if (post === undefined) throw new Fault("an agent without a runtime", { agentId });
    return post;
  }

  function runtimeOf(agentId: string, repositoryId?: string): AgentRuntime {
    const post = postOf(agentId, repositoryId);
    return {
      ...post.runtime,
      // Between being chosen and being started it may have been replaced.
      start: (turn, host) =>
        (post.isRetired ? postOf(agentId, repositoryId) : post).start(turn, host),
    };
  }

  async function prepare(settings: RosterSettings, readKey: ReadKey): Promise<PreparedRoster> {
    const { places, wanted } = placesIn(settings);
    const next = new Map<string, Post>();
    const made: Post[] = [];
    const discard = async (): Promise<void> => {
      await Promise.all(made.map((post) => post.close()));
    };
    try {
      for (const [place, { name, settings: one }] of wanted) {
        const print = JSON.stringify([one, keysOf(one).map(readKey)]);
        const known = posts.get(place);
        if (known?.print === print) {
          next.set(place, known);
          continue;
        }
        // A copy: those in effect change in place.
        const post = new Post(print, await create(name, structuredClone(one), readKey), report);
        made.push(post);
        next.set(place, post);
      }
    } catch (cause) {
      await discard();
      throw cause;
    }
    const commit = (): void => {
      const kept = new Set(next.values());
      const old = [...posts.values()].filter((post) => !kept.has(post));
      posts = next;
      placeOf = places;
      for (const post of old) {
        retired.add(post);
        post.retire();
      }
    };
    return { commit, discard };
  }

  return {
    runtimeOf,
    prepare,
    async close() {
      await Promise.all([...posts.values(), ...retired].map((post) => post.close()));
    },
  };
}

interface WantedPost {
  readonly name: string;
  readonly settings: PlacedSettings;
}

/** Of an agent, wherever it works or in one repository. */
function seatOf(agentId: string, repositoryId: string | null = null): string {
  return JSON.stringify([agentId, repositoryId]);
}

/** Every runtime that is named, and again as members want it. Those who share a folder and what they bring share it. */
function placesIn({ crew, runtimes, repositories = [] }: RosterSettings) {
  const wanted = new Map<string, WantedPost>();
  for (const [name, settings] of Object.entries(runtimes)) {
    wanted.set(JSON.stringify([name]), { name, settings });
  }
  const places = new Map<string, string>();
  const bringing = repositories.filter(bringsAnything);
  for (const { id, runtime: name, ...member } of crew) {
    const settings = own(runtimes, name);
    for (const repository of [undefined, ...bringing]) {
      const placed = settings && forAgent(settings, member, repository);
      const place = JSON.stringify(placed === undefined ? [name] : [name, placed]);
      if (placed !== undefined) wanted.set(place, { name, settings: placed });
      places.set(seatOf(id, repository?.id), place);
    }
  }
  return { places, wanted };
}

/** The variables that are named anywhere: by runtimes, by who works here, and by repositories. */
export function namedKeys({
  crew,
  runtimes,
  repositories = [],
}: RosterSettings): readonly string[] {
  const brought = [...crew, ...repositories].flatMap(({ mcpServers }) => envNamesIn(mcpServers));
  return [...new Set([...Object.values(runtimes).flatMap(keysOf), ...brought])];
}

/** The variables whose values a runtime is made with. */
function keysOf(settings: RuntimeSettings): readonly string[] {
  return [
    ...("apiKeyEnv" in settings && settings.apiKeyEnv !== undefined ? [settings.apiKeyEnv] : []),
    ...("tokenEnv" in settings && settings.tokenEnv !== undefined ? [settings.tokenEnv] : []),
    ...("env" in settings ? (settings.env ?? []) : []),
    ...("mcpServers" in settings ? envNamesIn(settings.mcpServers) : []),
  ];
}
