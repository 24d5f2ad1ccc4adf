/**
 * A small MCP server about tides, as a program of its own, or as one that does not do what a server should. The argument
 * says which: `well`, `hangs`, `dies`, `garbage`, `many`, `huge`, `no-tools`, `endless`, `deaf` (lists, answers no call) or `mortal` (dies of the
 * first call). Started with a second argument, it writes its process number into that file.
 */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

interface Request {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly arguments?: Record<string, unknown>;
    readonly protocolVersion?: string;
  };
}

const [, , how = "well", pidFile] = process.argv;
const TIDE = {
  name: "tide",
  description: "Tells when the water is high.",
  inputSchema: { type: "object", properties: { at: { type: "string" } } },
};
const ENVIRONMENT = {
  name: "environment",
  description: "Tells which variables it was given.",
  inputSchema: { type: "object" },
};

if (pidFile !== undefined) {
  // Something that a server leaves behind unless its whole group is ended.
  const child = spawn("sleep", ["600"], { stdio: "ignore" });
  writeFileSync(pidFile, JSON.stringify([process.pid, child.pid]));
}
if (how === "dies") {
  process.stderr.write("the moon is missing\n");
  process.exit(3);
}
if (how === "garbage") process.stdout.write("Welcome to Tides 1.0!\n");

createInterface({ input: process.stdin }).on("line", (line) => {
  if (how !== "hangs") answer(JSON.parse(line) as Request);
});

function answer({ id, method = "", params = {} }: Request): void {
  if (id === undefined) return;
  const reply = (message: object): void =>
    void process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...message })}\n`);
  switch (method) {
    case "initialize": {
      const serverInfo = { name: "tides", version: "1" };
      return reply({
        result: {
          // Any version does for so little.
          protocolVersion: params.protocolVersion ?? "2025-11-25",
          capabilities: { tools: {} },
          serverInfo,
        },
      });
    }
    case "tools/list":
      return reply({ result: listed() });
    case "tools/call":
      if (how === "mortal") process.exit(4);
      return how === "deaf" ? undefined : reply({ result: called(params) });
    default:
      return reply({ error: { code: -32601, message: `no ${method}` } });
  }
}

function listed(): object {
  switch (how) {
    case "many":
      return { tools: Array.from({ length: 10_000 }, (_, n) => ({ ...TIDE, name: `tide_${n}` })) };
    case "huge":
      return { tools: [{ ...TIDE, description: "x".repeat(9 * 1024 * 1024) }] };
    case "no-tools":
      return { tools: [{ name: 7 }] };
    case "endless":
      return { tools: [], nextCursor: "again" };
    default:
      return { tools: [TIDE, ENVIRONMENT] };
  }
}

function called({ name, arguments: input = {} }: NonNullable<Request["params"]>): object {
  if (name === "environment") return { content: [text(JSON.stringify(process.env))] };
  const said = `High water at ${String(input["at"])}: 6:13. Key: ${process.env["TIDES_KEY"] ?? "none"}`;
  const long = input["at"] === "everywhere" ? "wave ".repeat(20_000) : "";
  return { content: [text(said + long), { type: "image", mimeType: "image/png", data: "AA==" }] };
}

function text(words: string): object {
  return { type: "text", text: words };
}
