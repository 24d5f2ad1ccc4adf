/** What agents and repositories bring along, as the settings show it, and as a patch changes it. Pure. */
import { own } from "@atrium/wire";
import { fieldOf } from "../../../app/server/fetch-json.ts";
import type { SettingsView } from "../../../ui/agents/settings-http.ts";

export type BroughtKind = "mcpServers" | "skills";

export interface Brought {
  /** Names: what a server is stays with the server. */
  readonly mcpServers: readonly string[];
  /** Folders. */
  readonly skills: readonly string[];
}

/** Fields of a form; what is empty is left as it is. */
export interface ServerFields {
  readonly name: string;
  readonly kind: "program" | "address";
  readonly command: string;
  readonly args: string;
  readonly variables: string;
  readonly url: string;
  readonly header: string;
  readonly headerVariable: string;
}

export function broughtByAgent(settings: SettingsView, id: string): Brought {
  return broughtIn(crewRows(settings).find((row) => fieldOf(row, "id") === id));
}

export function broughtByRepository({ values }: SettingsView, id: string): Brought {
  const repositories = fieldOf(values, "repositories");
  const isTable = typeof repositories === "object" && repositories !== null;
  return broughtIn(isTable ? own({ ...repositories }, id) : undefined);
}

/** The members whose runtimes cannot be given it. */
export function membersWithout(settings: SettingsView, kind: BroughtKind): readonly string[] {
  return crewRows(settings)
    .filter((row) => textsIn(row, "cannotTake").includes(kind))
    .map((row) => String(fieldOf(row, "name")));
}

export function canAgentTake(settings: SettingsView, id: string, kind: BroughtKind): boolean {
  const row = crewRows(settings).find((each) => fieldOf(each, "id") === id);
  return !textsIn(row, "cannotTake").includes(kind);
}

/** One server, as a merge patch: the keys of the other kind go. */
export function serverPatch(fields: ServerFields): object {
  const { kind, command, url, header, headerVariable } = fields;
  if (kind === "address") {
    const isHeaderGiven = header.trim() !== "" && headerVariable.trim() !== "";
    return {
      ...(url.trim() !== "" && { url: url.trim() }),
      ...(isHeaderGiven && { headersEnv: { [header.trim()]: headerVariable.trim() } }),
      ...NO_PROGRAM,
    };
  }
  const args = fields.args.split("\n").filter((line) => line !== "");
  const env = fields.variables.split(/[\s,]+/).filter((name) => name !== "");
  return {
    ...(command.trim() !== "" && { command: command.trim() }),
    ...(args.length > 0 && { args }),
    ...(env.length > 0 && { env }),
    ...NO_ADDRESS,
  };
}

const NO_PROGRAM = { command: null, args: null, env: null, readable: null };
const NO_ADDRESS = { url: null, headersEnv: null };

function broughtIn(row: unknown): Brought {
  return { mcpServers: textsIn(row, "mcpServers"), skills: textsIn(row, "skills") };
}

function crewRows({ values }: SettingsView): readonly unknown[] {
  const crew = fieldOf(values, "crew");
  return Array.isArray(crew) ? crew : [];
}

function textsIn(row: unknown, name: string): readonly string[] {
  const list = fieldOf(row, name);
  return Array.isArray(list) ? list.filter((each) => typeof each === "string") : [];
}
