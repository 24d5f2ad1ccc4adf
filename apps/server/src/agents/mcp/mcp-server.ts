/**
 * One MCP server, as long as a turn uses it: its tools are listed once, and called by their own names.
 *
 *   open -> initialize -> tools/list, page by page -> tools/call, ... -> close
 *
 * Whatever it sends is taken for what it is: a server that lists too much, or something that is no tool, cannot be used.
 */
import manifest from "../../../package.json" with { type: "json" };
import { cutLongText } from "../../platform/long-text.ts";
import type { Timers } from "../../platform/timers.ts";
import type { ToolResult } from "../turn/agent-runtime.ts";
import { fieldsOf, isFields, listOf, textIn, type Fields } from "../turn/json-fields.ts";
import { McpServerFailure, resultIn, type McpLink } from "./mcp-link.ts";
import { describeContent } from "./tool-content.ts";

export const PROTOCOL_VERSION = "2025-11-25";

export interface McpTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly input: Fields;
}

const READY_MS = 20_000;
const MAX_CALL_MS = 10 * 60_000;
const MAX_TOOLS = 256;
const MAX_LISTED_CHARS = 512 * 1024;
const MAX_NAME_CHARS = 128;

export class McpServer {
  readonly tools: readonly McpTool[];
  readonly #link: McpLink;
  readonly #timers: Timers;
  readonly #nextId: () => number;

  private constructor(
    link: McpLink,
    timers: Timers,
    nextId: () => number,
    tools: readonly McpTool[],
  ) {
    this.#link = link;
    this.#timers = timers;
    this.#nextId = nextId;
    this.tools = tools;
  }

  /** Rejects with McpServerFailure, or with the signal's reason. The link is closed then. */
  static async open(link: McpLink, timers: Timers, signal: AbortSignal): Promise<McpServer> {
    let last = 0;
    const nextId = (): number => ++last;
    const late = new McpServerFailure(`was not ready within ${READY_MS / 1_000} s`);
    try {
      return await within(timers, READY_MS, late, signal, async (either) => {
        const ask = async (method: string, params: object): Promise<Fields> => {
          const answer = resultIn(await link.request({ id: nextId(), method, params }, either));
          if ("result" in answer) return answer.result;
          throw new McpServerFailure(`refused ${method}: ${answer.error}`);
        };
        await ask("initialize", {
          protocolVersion: PROTOCOL_VERSION,
          capabilities: {},
          clientInfo: { name: "atrium", title: "Atrium", version: manifest.version },
        });
        await link.notify("notifications/initialized");
        return new McpServer(link, timers, nextId, await listTools(ask));
      });
    } catch (cause) {
      await link.close();
      throw cause;
    }
  }

  /** Rejects with McpServerFailure, or with the signal's reason. */
  async call(name: string, input: unknown, signal: AbortSignal): Promise<ToolResult> {
    const params = { name, arguments: fieldsOf(input) };
    const late = new McpServerFailure(`did not answer within ${MAX_CALL_MS / 60_000} min`);
    const answer = await within(this.#timers, MAX_CALL_MS, late, signal, (either) =>
      this.#link.request({ id: this.#nextId(), method: "tools/call", params }, either),
    );
    const read = resultIn(answer);
    if ("error" in read) return { text: cutLongText(read.error), isError: true };
    const { result } = read;
    return { text: cutLongText(describeContent(result)), isError: result["isError"] === true };
  }

  close(): Promise<void> {
    return this.#link.close();
  }
}

async function listTools(
  ask: (method: string, params: object) => Promise<Fields>,
): Promise<readonly McpTool[]> {
  const tools = new Map<string, McpTool>();
  let chars = 0;
  let cursor: string | undefined;
  do {
    const page = await ask("tools/list", cursor === undefined ? {} : { cursor });
    for (const each of listOf(page["tools"])) {
      const tool = readTool(each);
      chars += JSON.stringify(tool).length;
      if (!tools.has(tool.name)) tools.set(tool.name, tool);
      if (tools.size > MAX_TOOLS || chars > MAX_LISTED_CHARS) {
        throw new McpServerFailure(
          `lists more tools than a model can be given (at most ${MAX_TOOLS}, and ${MAX_LISTED_CHARS} characters)`,
        );
      }
    }
    const next = textIn(page, "nextCursor");
    // One that never comes to an end would be asked until its time is up.
    if (next !== undefined && next === cursor) {
      throw new McpServerFailure("lists its tools without an end");
    }
    cursor = next;
  } while (cursor !== undefined);
  return [...tools.values()];
}

function readTool(listed: Fields): McpTool {
  const name = textIn(listed, "name") ?? "";
  const input = listed["inputSchema"];
  if (
    name === "" ||
    name.length > MAX_NAME_CHARS ||
    !isFields(input) ||
    input["type"] !== "object"
  ) {
    throw new McpServerFailure("lists something that is not a tool");
  }
  return {
    name,
    description: textIn(listed, "description") ?? textIn(listed, "title") ?? "",
    input,
  };
}

async function within<Value>(
  timers: Timers,
  ms: number,
  late: McpServerFailure,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const deadline = new AbortController();
  const cancel = timers.after(ms, () => deadline.abort(late));
  try {
    return await work(AbortSignal.any([signal, deadline.signal]));
  } catch (cause) {
    if (deadline.signal.aborted && !signal.aborted) throw late;
    throw cause;
  } finally {
    cancel();
  }
}
