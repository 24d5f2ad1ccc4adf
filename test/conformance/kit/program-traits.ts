/** How a real agent program differs from others, as far as a test cares. */
import type { SkillRoute } from "../../../apps/server/src/agents/skills/skilled-runtime.ts";
import type { ToolCall } from "../../kit/model-server/behavior.ts";

export interface ProgramTraits {
  /** Its tool that runs commands, called so that it runs this one. */
  readonly runs: (command: string) => ToolCall;
  /** What it calls our tool `lookup`; null for a program that takes none. */
  readonly lookup: Pick<ToolCall, "name" | "namespace"> | null;
  /** Its tool that writes a file, called so that this is in it; null for a program that shows no changes. */
  readonly writes: ((path: string, text: string) => ToolCall) | null;
  /** What it calls the tool `tide` of an MCP server `tides` of the settings, at an address or not; null: it takes none. */
  readonly tide: ((isAtUrl: boolean) => Pick<ToolCall, "name" | "namespace">) | null;
  /** Whether the MCP servers of its user can be left out. */
  readonly leavesOut: boolean;
  /** A model besides the one it begins with, as settings name it, and as its API is asked for it. */
  readonly secondModel: readonly [name: string, asked: string];
  /** Its tool that makes a plan, called; left out: it has none that it tells of. */
  readonly plans?: ToolCall;
  /** What people are asked for: each command, or the turn. */
  readonly asksFor: "commands" | "turns";
  /** What becomes of a turn in which something was denied. */
  readonly afterDenial: "goes on" | "ends";
  /** Whether a new process knows what was said, or is told. */
  readonly resumes: boolean;
  /** How it is given its agent's skills. */
  readonly skills: SkillRoute;
  /** Whether what people add in a turn reaches it in that turn; else it waits for the next. */
  readonly isSteered: boolean;
  /** Whether it tells more of a result than our tool has returned. */
  readonly wrapsResults: boolean;
  /** It tells no more than how much its context holds. */
  readonly countsContext?: true;
  /** It says that it lacks a login before it asks its vendor. */
  readonly saysLogin?: true;
  /** It works in a sandbox of its own, not in ours. */
  readonly hasOwnSandbox?: true;
  /** Its sessions go on in a terminal. */
  readonly hasTerminal?: true;
}

export const LOOKUP = {
  name: "lookup",
  description: "Looks something up.",
  input: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
};
