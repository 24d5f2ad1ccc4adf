/**
 * A server in whose hands is a secret of every kind, and everything done with it that could carry one somewhere: turns of
 * agents that say all they can find, guesses, logins, devices, hooks, every list that it shows. What came of it is kept
 * to be searched.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { acpPrompt } from "./acp-agent.ts";
import { signIn } from "./browser.ts";
import { runCli } from "./cli-process.ts";
import { createTestDevice } from "./device.ts";
import { openHookedSession } from "./hooked-session.ts";
import { descendantsOf } from "./processes.ts";
import type { Connected } from "./raw-peer.ts";
import { startServer, type ServerProcess } from "./server-process.ts";
import { askSettings } from "./settings.ts";
import { enterWorld } from "./world-peer.ts";

export interface ChildProcess {
  readonly args: string;
  readonly env: string;
}

export interface SecretStory {
  readonly home: string;
  /** Of the whole log, made by `atrium log copy`. */
  readonly copy: string;
  /** What each secret is, by its kind. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Of the files in the home, while the server ran. */
  readonly modes: ReadonlyMap<string, number>;
  /** Everything that was shown or answered, by where. */
  readonly shown: ReadonlyMap<string, string>;
  /** What the server had started, while its agents worked. */
  readonly children: readonly ChildProcess[];
}

const ACP_AGENT = fileURLToPath(new URL("./acp-agent.ts", import.meta.url));

export const canary = (kind: string): string => `canary-${kind}-0123456789abcdef`;

/** In the server's environment. */
export const GIVEN = {
  VAR_API_KEY: canary("by-variable"),
  UNNAMED_API_KEY: canary("unnamed"),
  MCP_DOCS_KEY: canary("mcp-env"),
  MCP_TIDES_TOKEN: canary("mcp-header"),
  CLAW_TOKEN: canary("gateway-upstream"),
  BRIDGE_SECRET: canary("bridge-program"),
};
const KEPT = canary("kept");
const GUESS = canary("guessed");
/** As `atrium join qwen --wake` keeps it: the program makes it, so it has its own looks. */
const WAKING = `qpc_${"ca11ab1e".repeat(8)}`;
const WAKING_FILE = join("joined", "qwen-controller.json");

/** Says all it was given and all it finds in the server's home, in every way it has, and waits to be looked at. */
const PROGRAM = String.raw`#!/bin/sh
cat > /dev/null
all=$(cat "$1/token" "$1/device-secret" "$1/hook-secret" "$1/keys.json" "$1/joined/qwen-controller.json" | tr -d '\n"{}'; env | grep API_KEY | tr '\n' ' ')
echo "I found $all"
echo "$all" >&2
echo "{\"type\":\"thinking\",\"delta\":\"$all\"}"
echo "{\"type\":\"tool.called\",\"id\":\"1\",\"name\":\"search\",\"input\":{\"q\":\"$all\"}}"
echo "{\"type\":\"tool.returned\",\"id\":\"1\",\"text\":\"$all\",\"isError\":false}"
echo "{\"type\":\"artifact\",\"name\":\"found.md\",\"mediaType\":\"text/markdown\",\"text\":\"$all\"}"
touch "$2/said"
while [ ! -e "$2/go" ]; do sleep 0.05; done
echo "{\"type\":\"failed\",\"reason\":\"it was $all\"}"
`;

export async function playSecretStory(folder: string): Promise<SecretStory> {
  const [home, seen, copy] = [join(folder, "home"), join(folder, "seen"), join(folder, "copy.db")];
  await mkdir(seen);
  const program = join(folder, "agent.sh");
  await writeFile(program, PROGRAM);
  await chmod(program, 0o700);
  const file = join(folder, "atrium.config.json");
  await writeFile(file, JSON.stringify(settingsFor([program, home, seen])));
  await mkdir(join(home, "joined"), { recursive: true, mode: 0o700 });
  const kept = { folder, id: "c_00000000", token: WAKING };
  await writeFile(join(home, WAKING_FILE), JSON.stringify(kept), { mode: 0o600 });
  const server = await startServer(home, { args: ["--config", file], env: GIVEN });
  const shown = new Map<string, string>();
  const note: Note = (place, what) =>
    void shown.set(place, typeof what === "string" ? what : JSON.stringify(what));
  const read = (name: string): string => readFileSync(join(home, name), "utf8").trim();
  const peer = await server.connect();
  const world = await enterWorld(server);
  note("key kept", (await askSettings(server, "PUT", "/keys/KEPT_API_KEY", { value: KEPT })).body);
  const secrets = new Map([
    ...Object.entries(GIVEN),
    ["kept", KEPT],
    ["guess", GUESS],
    ["token", server.token],
    ["device-secret", read("device-secret")],
    ["hook-secret", read("hook-secret")],
    ["waking", WAKING],
    ...(await letIn(server)),
  ]);
  await send(peer, "eng_1", "program", "hello");
  while (!readdirSync(seen).includes("said")) await setTimeout(20);
  await send(peer, "eng_2", "acp", acpPrompt({ tell: "tool servers" }));
  note("turn of an ACP agent", await ended(peer, "acp"));
  const children = descendantsOf(server.pid);
  await writeFile(join(seen, "go"), "");
  note("turn of a program", await ended(peer, "program"));
  await send(peer, "design_1", "claw", "hello");
  note("turn at another gateway", await ended(peer, "claw"));
  await useHooks(home, read("hook-secret"));
  await guess(server, note);
  await readAll(server, peer, note);
  for (const words of [["status"], ["config", "get"], ["agents"], ["doctor"], ["logins"]]) {
    const { stdout, stderr } = await runCli([...words, "--home", home], { cwd: folder });
    note(`atrium ${words.join(" ")}`, `${stdout}${stderr}`);
  }
  note(
    "events of the gateway",
    peer.frames.filter(({ type }) => type === "event"),
  );
  note("messages of the world", world.messages);
  const modes = new Map(
    [...readdirSync(home), WAKING_FILE].map((name) => [
      name,
      statSync(join(home, name)).mode & 0o777,
    ]),
  );
  await peer[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
  await server.end("SIGTERM");
  const { stdout, stderr } = await server.exited;
  // The first line has the address with the token, for whoever started it.
  note("output of the server", `${stdout.split("\n").slice(1).join("\n")}${stderr}`);
  const copied = await runCli(["log", "copy", "--from", join(home, "atrium.db"), "--to", copy]);
  note("atrium log copy", `${copied.stdout}${copied.stderr}`);
  return { home, copy, secrets, modes, shown, children };
}

type Note = (place: string, what: unknown) => void;

function settingsFor(command: readonly string[]): object {
  const member = (id: string, runtime: string) => ({
    id: `agent_${id}`,
    name: id,
    role: "engineer",
    runtime,
  });
  return {
    runtimes: {
      program: { type: "command", command, env: ["VAR_API_KEY", "KEPT_API_KEY"] },
      acp: {
        type: "acp",
        command: [process.execPath, ACP_AGENT, "http"],
        mcpServers: {
          docs: { command: "docs-mcp", env: ["MCP_DOCS_KEY"] },
          tides: {
            url: "http://127.0.0.1:9/mcp",
            headersEnv: { Authorization: "MCP_TIDES_TOKEN" },
          },
        },
      },
      claw: {
        type: "openclaw",
        url: "ws://127.0.0.1:9",
        tokenEnv: "CLAW_TOKEN",
        connectTimeoutMs: 300,
      },
      mine: { type: "claude-code", transport: "bridge", tokenEnv: "BRIDGE_SECRET" },
    },
    agents: [
      member("bd", "rehearsal"),
      member("eng_1", "program"),
      member("eng_2", "acp"),
      member("design_1", "claw"),
      member("writer_1", "mine"),
    ],
  };
}

async function send(peer: Connected, agent: string, runId: string, message: string): Promise<void> {
  const sessionKey = `agent:${agent}:main`;
  await peer.ask("chat.send", { sessionKey, message, idempotencyKey: runId });
}

async function ended(peer: Connected, runId: string): Promise<unknown> {
  return peer.ask("agent.wait", { runId, timeoutMs: 60_000 });
}

/** A browser and a device, with what each was given. */
async function letIn(server: ServerProcess): Promise<readonly (readonly [string, string])[]> {
  const { cookie, page } = await signIn(server);
  const device = createTestDevice();
  const scopes = ["operator.read"];
  await using first = await server.connect({
    auth: { token: server.token },
    scopes,
    device: (challenge) => device.prove(challenge, { token: server.token, scopes }),
  });
  return [
    ["cookie", cookie.split("=", 2)[1] ?? ""],
    ["page", page],
    ["device token", String(first.hello.auth.deviceToken)],
  ];
}

/** A session in a terminal that has come by the secret of its hooks. */
async function useHooks(home: string, secret: string): Promise<void> {
  await using session = await openHookedSession({ home });
  await session.hook("SessionStart", { model: secret });
  await session.hook("UserPromptSubmit", { prompt: `It is ${secret}` });
  const tool = { tool_name: "Bash", tool_input: { command: `echo ${secret}` }, tool_use_id: "t1" };
  await session.hook("PreToolUse", tool);
  await session.hook("Stop", { last_assistant_message: `It was ${secret}` });
}

/** Wrong tokens and wrong requests, at several endpoints and in several places of a request. */
async function guess({ url, token }: ServerProcess, note: Note): Promise<void> {
  const basic = (word: string): string => `Basic ${Buffer.from(`x:${word}`).toString("base64")}`;
  let shownAt = 0;
  const ask = async (path: string, headers: Record<string, string>, body?: string) => {
    const method = body === undefined ? "GET" : "POST";
    const response = await fetch(new URL(path, url), { method, headers, body: body ?? null });
    note(`${method} ${path.split("?")[0]} ${response.status} ${shownAt++}`, await response.text());
  };
  await ask("/api/settings", { authorization: `Bearer ${GUESS}` });
  await ask(`/?token=${GUESS}`, {});
  await ask(`/api/nothing?token=${GUESS}`, { authorization: `Bearer ${token}` });
  await ask("/git/none/info/refs?service=git-upload-pack", { authorization: basic(GUESS) });
  await ask("/git/none/info/refs?service=git-upload-pack", { authorization: basic(token) });
  await ask("/api/login", { authorization: `Bearer ${GUESS}` }, "{}");
  await ask("/api/joined/hooks", { authorization: `Bearer ${GUESS}` }, "{}");
  const asPerson = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  await ask("/v1/chat/completions", asPerson, `{"model": ${GUESS}`);
}

const PATHS = [
  "/api/settings",
  "/api/settings/schema",
  "/api/agent-programs",
  "/api/repositories",
  "/api/confinement",
  "/api/workspaces",
  "/api/builds",
  "/v1/models",
  "/healthz",
  "/readyz",
  "/metrics",
] as const;

const METHODS = [
  ["settings.get"],
  ["config.get"],
  ["status"],
  ["health"],
  ["logs.tail"],
  ["agents.list"],
  ["models.list"],
  ["sessions.list"],
  ["system-presence"],
  ["device.pair.list"],
  ["node.list"],
  ["logins.list"],
  ["chat.history", { sessionKey: "agent:eng_1:main" }],
  ["chat.history", { sessionKey: "agent:eng_2:main" }],
  ["chat.history", { sessionKey: "agent:design_1:main" }],
] as const;

async function readAll({ url, token }: ServerProcess, peer: Connected, note: Note): Promise<void> {
  for (const path of PATHS) {
    const headers = { authorization: `Bearer ${token}` };
    note(path, await (await fetch(new URL(path, url), { headers })).text());
  }
  for (const [method, params = {}] of METHODS) {
    note(`${method} ${JSON.stringify(params)}`, await peer.request(method, params));
  }
}
