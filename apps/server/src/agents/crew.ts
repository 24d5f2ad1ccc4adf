/** Who works here and on which runtime, from what the settings say. */
import { BUILT_IN_CREW, DEFAULT_HANDLE, type CrewMember } from "@atrium/core";
import type { Static } from "@atrium/schema";
import { ConfigError } from "../config-error.ts";
import { REHEARSAL, type Agents, type RuntimeSettings } from "./settings.ts";

export interface CrewSettings extends CrewMember {
  /** The name of its runtime. */
  readonly runtime: string;
}

type RuntimesByName = Readonly<Record<string, RuntimeSettings>>;

const PREFIX = "agent_";
const FRONT_DESK = "agent_bd";

/** Those named, and the rehearsal that is always there. */
export function runtimesOf(named: RuntimesByName = {}): RuntimesByName {
  const rehearsal = named[REHEARSAL] ?? { type: "rehearsal" };
  if (rehearsal.type !== "rehearsal") {
    throw new ConfigError(`runtime "${REHEARSAL}": this name is kept for type "rehearsal"`);
  }
  return { ...named, [REHEARSAL]: rehearsal };
}

/** The crew the settings name, else the built-in one; each with a runtime that exists. */
export function crewOf(
  agents: Static<typeof Agents> | undefined,
  defaultRuntime: string,
  runtimes: RuntimesByName,
): readonly CrewSettings[] {
  const known = (runtime: string, whose: string): string => {
    if (Object.hasOwn(runtimes, runtime)) return runtime;
    const names = Object.keys(runtimes).join(", ");
    throw new ConfigError(`${whose}: no runtime is called "${runtime}"; there are: ${names}`);
  };
  const standard = known(defaultRuntime, "--agents");
  if (agents === undefined) return BUILT_IN_CREW.map((one) => ({ ...one, runtime: standard }));
  const front = agents.find(({ id }) => id === FRONT_DESK) ?? agents[0];
  const crew = agents.map((agent) => {
    const { id, name, role, runtime = standard } = agent;
    const handle = agent === front ? DEFAULT_HANDLE : id.slice(PREFIX.length);
    return { id, handle, name, role, runtime: known(runtime, `agents: ${id}`) };
  });
  checkNames(crew);
  return crew;
}

function checkNames(crew: readonly CrewMember[]): void {
  for (const [at, { id, handle }] of crew.entries()) {
    const before = crew.slice(0, at);
    if (before.some((other) => other.id === id)) {
      throw new ConfigError(`agents: ${id} is there twice`);
    }
    const other = before.find((one) => one.handle === handle);
    if (other !== undefined) {
      throw new ConfigError(
        `agents: ${id} and ${other.id} would both be called "${handle}", which is the front desk's name; choose another id`,
      );
    }
  }
}
