/** Servers that take signals in and tell them to everyone: ours with all that is promised, and a bare loop. */
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RawSocket, type FrameTest } from "../load/raw-socket.ts";
import { launchAtrium, type AtriumOptions } from "./atrium.ts";
import { BARE_WS } from "./bare-ws.ts";
import { startChild, type ChildServer } from "./child-server.ts";
import { isChatFrame, requestText } from "./gateway-frames.ts";

export interface SignalTarget extends AsyncDisposable {
  readonly name: string;
  readonly pid: number;
  /** One that hears every signal. */
  listen(): Promise<RawSocket>;
  /** One that sends them. */
  produce(): Promise<RawSocket>;
  /** A signal as the server wants it. */
  readonly publication: (signal: object) => string;
  readonly isSignal: FrameTest;
}

const PATH = "/ws/signals";
const SIGNAL_FRAME = Buffer.from('{"type":"signal"');

export async function startAtriumSignals(
  log: AtriumOptions["log"],
  checkout?: URL,
): Promise<SignalTarget> {
  await using stack = new AsyncDisposableStack();
  const home = stack.use(await mkdtempDisposable(join(tmpdir(), "atrium-bench-")));
  const child = stack.use(await launchAtrium({ log, home: home.path, checkout }));
  const owned = stack.move();
  return {
    name: `Atrium, ${log} log`,
    pid: child.pid,
    async listen() {
      const socket = await enter(child);
      await ask(socket, { type: "subscribe" }, "subscribed");
      return socket;
    },
    produce: () => enter(child),
    publication: (signal) => JSON.stringify({ type: "emit", signal }),
    isSignal: (bytes, at) =>
      bytes.compare(SIGNAL_FRAME, 0, SIGNAL_FRAME.length, at, at + SIGNAL_FRAME.length) === 0,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

export async function startBareSignals(): Promise<SignalTarget> {
  const child = await startChild(BARE_WS, []);
  return {
    name: "bare ws",
    pid: child.pid,
    listen: () => RawSocket.open(child.port),
    produce: () => RawSocket.open(child.port),
    publication: (signal) => requestText("p", "publish", signal),
    isSignal: isChatFrame,
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

async function enter({ port, token }: Pick<ChildServer, "port" | "token">): Promise<RawSocket> {
  const socket = await RawSocket.open(port, PATH);
  await ask(socket, { type: "hello", auth: { token } }, "welcome");
  return socket;
}

async function ask(socket: RawSocket, frame: object, answer: string): Promise<void> {
  const answered = socket.next((head) => head.startsWith('{"type":'));
  socket.send(JSON.stringify(frame));
  const head = await answered;
  if (!head.startsWith(`{"type":"${answer}"`)) throw new Error(`not ${answer}: ${head}`);
}
