/** A client of an MCP server over HTTP, written by hand: lists and calls its tools. */
import type { HttpHeader } from "@agentclientprotocol/sdk";

// Whatever MCP carries; tests look into it without a schema on purpose.
// oxlint-disable-next-line typescript/no-explicit-any -- see above
type Json = any;

export interface HttpTools {
  toolNames(): Promise<string[]>;
  callTool(name: string, args?: object): Promise<Json>;
}

export async function openHttpTools(server: {
  readonly url: string;
  readonly headers: readonly HttpHeader[];
}): Promise<HttpTools> {
  const headers = {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    ...Object.fromEntries(server.headers.map(({ name, value }) => [name, value])),
  };
  let id = 0;
  const ask = async (method: string, params: object): Promise<Json> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params });
    const response = await fetch(server.url, { method: "POST", headers, body });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method}: ${response.status}`);
    const isStream = response.headers.get("content-type") === "text/event-stream";
    const message = isStream ? (/^data: (.*"result".*)$/m.exec(text)?.[1] ?? "") : text;
    const { result }: Json = JSON.parse(message);
    return result;
  };
  await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {} });
  return {
    toolNames: async () =>
      (await ask("tools/list", {})).tools.map(({ name }: { readonly name: string }) => name),
    callTool: (name, args = {}) => ask("tools/call", { name, arguments: args }),
  };
}
