/** Starts `codex app-server` where a turn works, and has it take up or begin the thread of the conversation. */
import { openChild } from "../../../confinement/program/child.ts";
import type { Timers } from "../../../platform/timers.ts";
import { AgentGone } from "../../process/agent-gone.ts";
import type { AgentOpening } from "../../process/agent-pool.ts";
import { presetOf, type PermissionsOf } from "../../process/workspace-preset.ts";
import type { Turn, TurnHost } from "../../turn/agent-runtime.ts";
import type { OpenMcpToolServer } from "../../turn/mcp-tool-server.ts";
import { untilAborted } from "../../turn/until-aborted.ts";
import { CodexProcess, ThreadBusy } from "./codex-process.ts";
import type { CompleteCodexSettings } from "./codex-settings.ts";
import { configuredServers, withoutServers } from "./configured-servers.ts";
import { busyFailure, lateFailure } from "./failure.ts";
import { threadSpec } from "./thread-params.ts";
import { openCodexToolServer } from "./tool-server.ts";
import { approvalPolicyFor } from "./workspace-policy.ts";

export interface CodexDeps {
  readonly timers: Timers;
  /** Of the server's, which no agent that has a workspace may reach. */
  readonly secretFolders?: readonly string[] | undefined;
  /** Left out: Codex has its own tools only. */
  readonly openMcpToolServer?: OpenMcpToolServer | undefined;
  readonly newMark: () => string;
  /** What agents may do in their workspaces without asking. */
  readonly permissionsOf?: PermissionsOf | undefined;
  /** What nobody may say, whoever has come by it. */
  readonly secrets?: (() => readonly string[]) | undefined;
}

/** A daemon closes a thread about a minute after its terminal has ended. */
const MAX_BUSY_MS = 150_000;
const RETRY_MS = 1_000;

/** By which everything that Codex has started is known. */
const MARK = "ATRIUM_CODEX_PROCESS";

export async function openCodex(
  settings: CompleteCodexSettings,
  { turn, host }: { readonly turn: Turn; readonly host: TurnHost },
  deps: CodexDeps,
  { knownSession, isAlone, signal }: AgentOpening,
): Promise<CodexProcess> {
  const { timers, openMcpToolServer, secretFolders = [] } = deps;
  const { command, extraArgs, maxOutputBytes, startTimeoutMs } = settings;
  const mark = { [MARK]: deps.newMark() };
  const toolServer = await openCodexToolServer(openMcpToolServer, turn, host.tools, mark);
  const opened = await openChild(
    {
      command: [command, ...extraArgs, "app-server"],
      cwd: turn.workspace?.folder ?? settings.cwd,
      env: { ...settings.env, ...turn.env, ...mark },
    },
    timers,
  );
  if (!opened.ok) {
    await toolServer.close();
    throw new AgentGone(opened.reason);
  }
  const late = new AbortController();
  const cancel = timers.after(startTimeoutMs, () => late.abort());
  const codex = new CodexProcess(opened.child, {
    program: command,
    maxOutputBytes,
    mark: `${MARK}=${mark[MARK]}`,
    toolServer,
  });
  try {
    const permissions = presetOf(turn, deps.permissionsOf);
    const approvalPolicy = approvalPolicyFor(permissions, settings.approvalPolicy);
    const either = AbortSignal.any([signal, late.signal]);
    await untilAborted(either, codex.initialize(turn.skills ?? []));
    const { mcpServers, ownSettings } = settings;
    const own = ownSettings === false ? await untilAborted(either, codex.ownServers()) : [];
    const servers = {
      ...withoutServers(own.filter((name) => mcpServers.every((each) => each.name !== name))),
      ...configuredServers(mcpServers),
      ...toolServer.config,
    };
    const around = { secretFolders, servers };
    const thread = await threadSpec({ ...settings, approvalPolicy }, turn, around);
    const begin = () => codex.begin(knownSession, thread, isAlone);
    await untilFree(begin, { timers, command, signal: either, onBusy: cancel });
    return codex;
  } catch (cause) {
    await codex.stop();
    if (!late.signal.aborted || signal.aborted) throw cause;
    throw new AgentGone(lateFailure(command, startTimeoutMs));
  } finally {
    cancel();
  }
}

/** Begins once nobody else has the thread: its terminal has ended, and Codex's daemon closes it a little later. */
async function untilFree(
  begin: () => Promise<void>,
  { timers, command, signal, onBusy }: Waiting,
): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
    try {
      return await untilAborted(signal, begin());
    } catch (cause) {
      if (!(cause instanceof ThreadBusy)) throw cause;
      if (waitedMs >= MAX_BUSY_MS) throw new AgentGone(busyFailure(command));
      onBusy();
    }
    await untilAborted(signal, new Promise<void>((resolve) => timers.after(RETRY_MS, resolve)));
  }
}

interface Waiting extends Pick<CodexDeps, "timers"> {
  readonly command: string;
  readonly signal: AbortSignal;
  readonly onBusy: () => void;
}
