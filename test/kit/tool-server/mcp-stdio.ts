/**
 * A small MCP server over stdio, written by hand: lists and calls whatever the address in its environment offers.
 * Stands in for the plugin where only its wire matters.
 */
import { createInterface } from "node:readline";

interface Request {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly arguments?: unknown };
}

const url = process.env["SYNTHESIS_BRIDGE_URL"] ?? "";
const authorization = `Bearer ${process.env["SYNTHESIS_BRIDGE_TOKEN"]}`;

createInterface({ input: process.stdin }).on("line", (line) => void answer(JSON.parse(line)));

async function answer({ id, method = "", params }: Request): Promise<void> {
  if (id === undefined) return;
  const reply = (message: object): void => {
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...message })}\n`);
  };
  switch (method) {
    case "initialize":
      return reply({
        result: {
          protocolVersion: "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "atrium-test", version: "0" },
        },
      });
    case "tools/list":
      return reply({ result: await ask({ list: true }) });
    case "tools/call":
      return reply({ result: await ask({ name: params?.name, input: params?.arguments }) });
    default:
      return reply({ error: { code: -32601, message: `no ${method}` } });
  }
}

async function ask(body: object): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization },
    body: JSON.stringify(body),
  });
  return response.json();
}
