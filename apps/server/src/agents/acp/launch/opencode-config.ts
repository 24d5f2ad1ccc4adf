/**
 * What opencode is started with as its settings, which it merges over those of its user: its agent's skills, and that it
 * asks. By itself it asks about next to nothing.
 */
import { own } from "@atrium/wire";
import type { Skill } from "../../turn/agent-runtime.ts";
import { fieldsOf, isFields, parseFields, type Fields } from "../../turn/json-fields.ts";

export interface ProgramEquipment {
  readonly skills: readonly Skill[];
  /** The names of the MCP servers that it is told of. */
  readonly servers: readonly string[];
  /** The names of those that its user has configured and that it is not to use. */
  readonly leftOut: readonly string[];
}

/** It hides a tool that is denied in every case. */
const DENY = "deny";
const ASK = "ask";

/** The keys of its `permission` for what leaves a trace; its own defaults hold for the rest. */
const ASKED: Fields = { bash: ASK, edit: ASK, webfetch: ASK, websearch: ASK };

/** Its agents that change no files. What is set for all agents would have them ask instead. */
const READERS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  // Its plan, in the folder or among its data, is the one file that it writes.
  ["plan", { "*": DENY, "*opencode/plans/*.md": ASK }],
  ["explore", DENY],
]);

/** `given` are settings that the runtime hands it anyway, which count more. */
export function opencodeConfig(given: string | undefined, equipment: ProgramEquipment): string {
  const config = parseFields(given ?? "{}") ?? {};
  return JSON.stringify({
    ...config,
    permission: permissionIn(config["permission"], equipment.servers),
    agent: agentsIn(fieldsOf(config["agent"])),
    ...(equipment.leftOut.length > 0 && { mcp: serversIn(config["mcp"], equipment.leftOut) }),
    ...(equipment.skills.length > 0 && { skills: skillsIn(config["skills"], equipment.skills) }),
  });
}

/** The last of its rules that fits holds, so that those which are given come after ours. */
function permissionIn(given: unknown, servers: readonly string[]): unknown {
  if (typeof given === "string") return given;
  const theirs = fieldsOf(given);
  const tools = servers.map((server) => [`${server}_*`, ASK] as const);
  const ours = [...Object.entries(ASKED), ...tools].filter(
    ([name]) => !Object.hasOwn(theirs, name),
  );
  return { ...Object.fromEntries(ours), ...theirs };
}

function agentsIn(given: Fields): Fields {
  const readers = [...READERS].flatMap(([name, edit]) => {
    const agent = fieldsOf(own(given, name));
    const permission = agent["permission"] ?? {};
    return isFields(permission)
      ? [[name, { ...agent, permission: { edit, ...permission } }] as const]
      : [];
  });
  return { ...given, ...Object.fromEntries(readers) };
}

function serversIn(given: unknown, leftOut: readonly string[]): Fields {
  const theirs = fieldsOf(given);
  const off = leftOut.map((name) => {
    return [name, { ...fieldsOf(own(theirs, name)), enabled: false }] as const;
  });
  return { ...theirs, ...Object.fromEntries(off) };
}

function skillsIn(given: unknown, skills: readonly Skill[]): Fields {
  const theirs = fieldsOf(given);
  const paths: readonly unknown[] = Array.isArray(theirs["paths"]) ? theirs["paths"] : [];
  return { ...theirs, paths: [...paths, ...skills.map(({ folder }) => folder)] };
}
