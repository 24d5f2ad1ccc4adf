/** The server itself, started as `npm start` starts it, in a home of its own that is gone afterwards. */
import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGatewayClient } from "@atrium/client";
import { RawSocket } from "../load/raw-socket.ts";
import { MESSAGE } from "./chat-event.ts";
import { startChild, type ChildServer } from "./child-server.ts";
import { isChatFrame, requestText } from "./gateway-frames.ts";
import type { Target } from "./target.ts";

const OURS = new URL("../../../", import.meta.url);
const MAIN = "apps/server/src/main.ts";
// A passer-by is not announced to the others, so that joining costs what joining costs.
const CLIENT = { id: "cli", version: "dev", platform: "linux", mode: "cli" } as const;
const SCOPES = ["operator.admin"];

export interface AtriumOptions {
  readonly log: "memory" | "sqlite";
  readonly home: string;
  readonly env?: NodeJS.ProcessEnv;
  /** The folder of another version, with a slash at its end. Left out: this one. */
  readonly checkout?: URL | undefined;
  /** Left out: the built-in one. */
  readonly crew?: readonly { readonly id: string; readonly name: string; readonly role: string }[];
}

/** Agents that answer as soon as they are asked, so that what is measured is not them. */
const SETTINGS = { runtimes: { instant: { type: "rehearsal", pace: 0 } } };

export async function launchAtrium(options: AtriumOptions): Promise<ChildServer> {
  const { log, home, env, crew, checkout = OURS } = options;
  const config = join(home, "atrium.config.json");
  await mkdir(home, { recursive: true });
  await writeFile(config, JSON.stringify({ ...SETTINGS, agents: crew }));
  const settings = ["--config", config, "--agents", "instant"];
  const place = ["--json", "--port", "0", "--home", home, "--log", log];
  return startChild(new URL(MAIN, checkout), [...place, ...settings], env);
}

export interface AtriumTarget extends Target {
  /** The payload of a method's answer, as the client package gets it. */
  ask(method: string): Promise<unknown>;
}

export async function startAtrium(
  log: AtriumOptions["log"],
  checkout?: URL,
): Promise<AtriumTarget> {
  await using stack = new AsyncDisposableStack();
  const home = stack.use(await mkdtempDisposable(join(tmpdir(), "atrium-bench-")));
  const child = stack.use(await launchAtrium({ log, home: home.path, checkout }));
  const owned = stack.move();
  return {
    name: `Atrium, ${log} log`,
    pid: child.pid,
    join: () => joinAtrium(child),
    publication: requestText("p", "chat.inject", { sessionKey: "main", message: MESSAGE }),
    isEvent: isChatFrame,
    ask: (method) => askAtrium(child, method),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

type Address = Pick<ChildServer, "port" | "token">;

export async function joinAtrium({ port, token }: Address): Promise<RawSocket> {
  const socket = await RawSocket.open(port);
  const answer = socket.next((head) => head.startsWith('{"type":"res"'));
  socket.send(
    requestText("c", "connect", {
      minProtocol: 4,
      maxProtocol: 4,
      role: "operator",
      scopes: SCOPES,
      client: CLIENT,
      auth: { token },
    }),
  );
  const head = await answer;
  if (!head.includes('"ok":true')) throw new Error(`not let in: ${head}`);
  return socket;
}

async function askAtrium({ port, token }: Address, method: string): Promise<unknown> {
  const url = `ws://127.0.0.1:${port}/`;
  await using client = createGatewayClient({ url, client: CLIENT, token, scopes: SCOPES });
  await client.connect();
  return await client.requestByName(method);
}
