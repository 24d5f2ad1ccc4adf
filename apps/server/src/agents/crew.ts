/** Who works here and on which runtime, from what the settings say. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { BUILT_IN_CREW, DEFAULT_HANDLE, type CrewMember } from "@atrium/core";
import { own } from "@atrium/wire";
import { ConfigError } from "../platform/config-error.ts";
import type { AgentLimits, AgentList, WorkspacePermissions } from "./settings/agent-settings.ts";
import { canTake, whoTakes, type Brought } from "./settings/brought-settings.ts";
import { mcpServersProblem } from "./settings/mcp-server-settings.ts";
import { inFolder, REHEARSAL, type RuntimeSettings } from "./settings/runtime-settings.ts";
import { settleSkills } from "./settings/skill-settings.ts";

/** What it brings is besides what its runtime has. */
export interface CrewSettings extends CrewMember, Brought {
  readonly runtime: string;
  /** An absolute path. Left out: where its runtime works. */
  readonly cwd?: string;
  /** Patterns of names. Left out: all. */
  readonly tools?: readonly string[];
  /** Left out: `sandbox` for our own tools, and what their runtimes say for programs. */
  readonly permissions?: WorkspacePermissions;
  readonly limits?: AgentLimits;
  /** Left out: the first that is free. */
  readonly desk?: number;
  /** Left out: made of its id. */
  readonly look?: number;
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

/** The crew the settings name, else the built-in one; each with a runtime and a folder that exist. */
export function crewOf(
  agents: AgentList | undefined,
  defaultRuntime: string,
  runtimes: RuntimesByName,
  workingFolder: string,
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
    const { id, runtime: named = standard, cwd, skills: folders, ...rest } = agent;
    const handle = agent === front ? DEFAULT_HANDLE : id.slice(PREFIX.length);
    const runtime = known(named, `agents: ${id}`);
    checkBrought(agent, own(runtimes, runtime));
    const skills = folders && { skills: settleSkills(`agents: ${id}`, folders, workingFolder) };
    const member = { ...rest, id, handle, runtime, ...skills };
    if (cwd === undefined) return member;
    const folder = resolve(workingFolder, cwd);
    checkFolder(id, folder, own(runtimes, runtime));
    return { ...member, cwd: folder };
  });
  checkNames(crew);
  checkDesks(crew);
  return crew;
}

function checkFolder(id: string, folder: string, settings: RuntimeSettings | undefined): void {
  if (settings !== undefined && inFolder(settings, folder) === undefined) {
    throw new ConfigError(
      `agents: ${id}: its runtime is of type "${settings.type}", which works in no folder; leave cwd out`,
    );
  }
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new ConfigError(`agents: ${id}: there is no folder ${folder}; make it, or change its cwd`);
}

function checkDesks(crew: readonly Pick<CrewSettings, "id" | "handle" | "desk">[]): void {
  for (const [at, { id, handle, desk }] of crew.entries()) {
    if (desk === undefined) continue;
    if (handle === DEFAULT_HANDLE) {
      throw new ConfigError(`agents: ${id} works at the front desk; leave desk out`);
    }
    const other = crew.slice(0, at).find((one) => one.desk === desk);
    if (other !== undefined) {
      throw new ConfigError(`agents: ${id} and ${other.id} are both at desk ${desk}`);
    }
  }
}

function checkBrought(
  { id, mcpServers, skills }: AgentList[number],
  settings: RuntimeSettings | undefined,
): void {
  if (settings === undefined) return;
  const problem = mcpServersProblem(mcpServers);
  if (problem !== undefined) throw new ConfigError(`agents: ${id}: ${problem}`);
  const { type } = settings;
  if (mcpServers !== undefined && !canTake(settings, "mcpServers")) {
    throw new ConfigError(
      `agents: ${id}: its runtime is of type "${type}", which takes no MCP servers; leave mcpServers out, or use one of: ${whoTakes("mcpServers")}`,
    );
  }
  if (skills !== undefined && !canTake(settings, "skills")) {
    throw new ConfigError(
      `agents: ${id}: its runtime is of type "${type}", which takes no skills; leave skills out, or use one of: ${whoTakes("skills")}`,
    );
  }
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
