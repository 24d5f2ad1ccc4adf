/**
 * An MCP server that is a program: a JSON message in each line of its standard input and output. It ends with everything
 * it has started. https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio
 */
import { describeEnd, type Child } from "../../confinement/program/child.ts";
import { createLineReader } from "../process/line-reader.ts";
import type { Fields } from "../turn/json-fields.ts";
import { previewText } from "../turn/preview/preview-text.ts";
import { untilAborted } from "../turn/until-aborted.ts";
import {
  MAX_MESSAGE_BYTES,
  McpServerFailure,
  readMessage,
  TOO_LONG,
  type McpLink,
} from "./mcp-link.ts";

export function openStdioLink(program: string, child: Child): McpLink {
  const waiting = new Map<number, PromiseWithResolvers<Fields>>();
  let failure: McpServerFailure | undefined;
  let hasUnderstood = false;

  const fail = (why: string): void => {
    failure ??= new McpServerFailure(why);
    for (const answer of waiting.values()) answer.reject(failure);
    waiting.clear();
  };
  const write = (message: object): void => {
    if (child.stdin.writable) child.stdin.write(`${JSON.stringify(message)}\n`);
  };
  const read = (line: string): void => {
    const message = readMessage(line);
    // Once it has been understood it may print what it likes in between.
    if (message === undefined) {
      if (!hasUnderstood) fail(`printed something that is not MCP: ${previewText(line)}`);
      return;
    }
    hasUnderstood = true;
    if (message.type === "request") write(message.reply);
    if (message.type !== "answer") return;
    waiting.get(message.id)?.resolve(message.fields);
    waiting.delete(message.id);
  };
  const lines = createLineReader(MAX_MESSAGE_BYTES, read, () => fail(TOO_LONG));
  child.stdout.on("data", (bytes: Buffer) => lines.take(bytes));
  child.stdout.on("error", () => undefined);
  void child.ended.then((end) =>
    fail(`ended: ${previewText(describeEnd(program, end, child.complaint()))}`),
  );

  return {
    async request({ id, method, params }, signal) {
      if (failure !== undefined) throw failure;
      const answer = Promise.withResolvers<Fields>();
      waiting.set(id, answer);
      write({ jsonrpc: "2.0", id, method, params });
      try {
        return await untilAborted(signal, answer.promise);
      } catch (cause) {
        if (waiting.delete(id)) {
          answer.promise.catch(() => undefined);
          write({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
        }
        throw cause;
      }
    },
    async notify(method) {
      write({ jsonrpc: "2.0", method });
    },
    close: () => child.stop(),
  };
}
