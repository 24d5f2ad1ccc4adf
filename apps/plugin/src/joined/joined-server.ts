/**
 * The plugin in a session that someone started by hand: an MCP server with the tools that Atrium offers such sessions.
 * Without Atrium it offers none and says nothing; when Atrium comes or goes, the program is told that the tools changed.
 */
import type { Readable, Writable } from "node:stream";
import { openMcpSide } from "../mcp-side.ts";
import type { Plugin } from "../plugin.ts";
import type { Timers } from "../system.ts";
import type { JoinedAddress } from "./joined-address.ts";
import { createJoinedTools } from "./joined-tools.ts";

export interface JoinedServerDeps {
  readonly address: () => JoinedAddress | undefined;
  readonly version: string;
  readonly pid: number;
  readonly folder: string;
  readonly input: Readable;
  readonly output: Writable;
  readonly fetch: typeof fetch;
  readonly timers: Timers;
  readonly log: (line: string) => void;
}

/** How soon it is seen that Atrium came or went. */
const LOOK_EVERY_MS = 2_000;
const INSTRUCTIONS =
  "Atrium is an office for agents on this machine. With these tools this session can take a task of one of its projects, work on it in the folder that it is told, and hand it over. Use them when the user or a message of Atrium asks for it.";

export async function openJoinedServer(deps: JoinedServerDeps): Promise<Plugin> {
  const tools = createJoinedTools(deps);
  let isThere = deps.address() !== undefined;
  let cancel: (() => void) | undefined;
  const mcp = await openMcpSide({
    ...deps,
    instructions: INSTRUCTIONS,
    listTools: () => tools.list(),
    callTool: (name, args, signal) => tools.call(name, args, signal),
    onInitialized: () => lookSoon(),
  });

  function lookSoon(): void {
    cancel = deps.timers.after(LOOK_EVERY_MS, () => {
      const isThereNow = deps.address() !== undefined;
      if (isThereNow !== isThere) mcp.notify("notifications/tools/list_changed");
      isThere = isThereNow;
      lookSoon();
    });
  }

  return {
    async close() {
      cancel?.();
      await mcp.close();
    },
  };
}
