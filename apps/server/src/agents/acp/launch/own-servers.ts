/**
 * MCP servers that the user of a program has configured in it, left out: some programs are told which they may use, others
 * which they may not. Those are asked first what there is, by a run of their own that only lists.
 */
import { own } from "@atrium/wire";
import { describeEnd } from "../../../confinement/program/child.ts";
import { AgentGone } from "../../process/agent-gone.ts";
import { chunksOf } from "../../process/chunks.ts";
import type { HomeRequest } from "../../process/home/prepare-home.ts";
import { openProgram, type ProgramDeps } from "../../process/program.ts";
import type { ProgramSettings } from "../../settings/runtime-settings.ts";
import type { Turn, TurnHost } from "../../turn/agent-runtime.ts";
import { isFields, parseFields } from "../../turn/json-fields.ts";
import { untilAborted } from "../../turn/until-aborted.ts";
import { inTerminal, type AcpProgram, type OwnServers } from "./programs.ts";

export interface LeftOut {
  readonly args: readonly string[];
  /** Those that opencode is told not to use. */
  readonly names: readonly string[];
}

const NOTHING: LeftOut = { args: [], names: [] };
/** The name by which it knows our tools. */
const OURS = "atrium";

interface Leaving extends ProgramDeps {
  readonly settings: Omit<ProgramSettings<"acp">, "mcpServers"> & {
    readonly mcpServers: readonly { readonly name: string }[];
    readonly maxOutputBytes: number;
    readonly startTimeoutMs: number;
  };
  readonly program: AcpProgram;
  /** Where it is confined, what its user has configured is there. */
  readonly home?: HomeRequest;
  readonly turn: Turn;
  readonly host: TurnHost;
}

export async function leaveOut(leaving: Leaving, signal: AbortSignal): Promise<LeftOut> {
  const { settings } = leaving;
  const { ownServers } = leaving.program;
  if (settings.ownSettings !== false || ownServers === undefined) return NOTHING;
  const configured = [OURS, ...settings.mcpServers.map(({ name }) => name)];
  if (ownServers.way === "allow") {
    return { args: configured.map((name) => `${ownServers.flag}=${name}`), names: [] };
  }
  const listed = await list(ownServers, leaving, signal);
  const names = listed.filter((name) => !configured.includes(name));
  if (ownServers.by === "opencode-config") return { args: [], names };
  return {
    args: ["--disable-builtin-mcps", ...names.map((name) => `--disable-mcp-server=${name}`)],
    names: [],
  };
}

/** Their names. Rejects with AgentGone where the program does not tell. */
async function list(
  { list: words, key }: Extract<OwnServers, { readonly way: "switch-off" }>,
  leaving: Leaving,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { settings, home, timers } = leaving;
  const command = [...inTerminal(settings.command), ...words];
  const [program = ""] = command;
  const opened = await openProgram(
    { ...settings, command, ...(home && { home }) },
    leaving,
    leaving,
  );
  if (!opened.ok) throw new AgentGone(opened.reason);
  const { child } = opened;
  const late = new AbortController();
  const cancel = timers.after(settings.startTimeoutMs, () => late.abort());
  const either = AbortSignal.any([signal, late.signal]);
  try {
    child.stdin.end();
    let output = "";
    const chunks = chunksOf(child, timers);
    for (;;) {
      const { done, value } = await untilAborted(either, chunks.next());
      if (done === true) break;
      output += value;
      if (output.length > settings.maxOutputBytes) throw new AgentGone(silent(program, words));
    }
    const answer = parseFields(output);
    const servers = answer === undefined ? undefined : (own(answer, key) ?? {});
    if (isFields(servers)) return Object.keys(servers);
    const end = describeEnd(program, await untilAborted(either, child.ended), child.complaint());
    throw new AgentGone(`${silent(program, words)} ${end}`);
  } catch (cause) {
    if (!late.signal.aborted || signal.aborted) throw cause;
    throw new AgentGone(silent(program, words));
  } finally {
    cancel();
    await child.stop();
  }
}

function silent(program: string, words: readonly string[]): string {
  return `"${program} ${words.join(" ")}" did not list the MCP servers of its user, so they cannot be left out. Update "${program}", or take ownSettings out of its runtime.`;
}
