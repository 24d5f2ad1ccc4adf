/**
 * A wire with a listener on it: stands between a real client and the server, passes every byte on as it
 * came, and writes down the frames of WebSocket connections. It is how a test knows what a program it
 * cannot look into asked for, and what it was told.
 */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { Receiver } from "./frame-receiver.ts";

export interface Heard {
  readonly type?: string;
  readonly id?: string;
  readonly method?: string;
  readonly event?: string;
  readonly ok?: boolean;
  // What a peer sent is looked into as it came.
  // oxlint-disable-next-line typescript/no-explicit-any -- see above
  readonly params?: any;
  // oxlint-disable-next-line typescript/no-explicit-any -- see above
  readonly payload?: any;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface Refusal {
  readonly method: string;
  readonly message: string;
}

export interface Wiretap extends AsyncDisposable {
  readonly port: number;
  /** Frames in the order they passed, from both sides. */
  readonly frames: readonly Heard[];
  /** The first frame, past or future, for which it holds. */
  first(isIt: (frame: Heard) => boolean): Promise<Heard>;
  /** Methods that were called, in order, each as often as it was. */
  called(): string[];
  /** Requests that were answered with an error, each kind once. */
  refused(): Refusal[];
}

/** Whether it is the end of a turn, however it ended. */
export function isTurnEnd({ event, payload }: Heard): boolean {
  return event === "chat" && ["final", "aborted", "error"].includes(payload.state);
}

const UPGRADE = /^upgrade: *websocket\r?$/im;
const HEAD_END = "\r\n\r\n";

export async function openWiretap(targetPort: number): Promise<Wiretap> {
  const frames: Heard[] = [];
  const sockets = new Set<Socket>();
  const wanted = new Set<(frame: Heard) => void>();
  const hear = (text: string): void => {
    const frame = JSON.parse(text) as Heard;
    frames.push(frame);
    for (const look of wanted) look(frame);
  };
  const server = createServer((client) => {
    const upstream = connect(targetPort, "127.0.0.1");
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("close", () => sockets.delete(from));
      // An end that breaks off takes the other with it, as it would on one wire.
      from.on("error", () => to.destroy());
      from.on("data", listenFor(hear));
      from.pipe(to);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    frames,
    first(isIt) {
      const known = frames.find(isIt);
      if (known !== undefined) return Promise.resolve(known);
      const { promise, resolve } = Promise.withResolvers<Heard>();
      const look = (frame: Heard): void => {
        if (isIt(frame)) resolve(frame);
      };
      wanted.add(look);
      return promise.finally(() => wanted.delete(look));
    },
    called: () => frames.flatMap(({ method }) => method ?? []),
    refused: () => refusalsIn(frames),
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Waits for the head of an upgrade, then for frames; anything but an upgrade is passed over. */
function listenFor(hear: (text: string) => void): (chunk: Buffer) => void {
  const receiver = new Receiver(hear);
  let state: "head" | "frames" | "other" = "head";
  let head = "";
  return (chunk) => {
    if (state === "frames") return receiver.take(chunk);
    if (state === "other") return;
    head += chunk.toString("latin1");
    const end = head.indexOf(HEAD_END);
    if (end === -1) return;
    state = UPGRADE.test(head.slice(0, end)) ? "frames" : "other";
    const rest = head.slice(end + HEAD_END.length);
    if (state === "frames" && rest !== "") receiver.take(Buffer.from(rest, "latin1"));
    head = "";
  };
}

function refusalsIn(frames: readonly Heard[]): Refusal[] {
  // Ids are unique per client, not per wire; two clients with the same id name the later one.
  const methods = new Map<string, string>();
  const found = new Map<string, Refusal>();
  for (const { type, id = "", method, ok, error } of frames) {
    if (type === "req" && method !== undefined) methods.set(id, method);
    if (type !== "res" || ok !== false) continue;
    const refusal = { method: methods.get(id) ?? "?", message: error?.message ?? "" };
    found.set(`${refusal.method} ${refusal.message}`, refusal);
  }
  return [...found.values()];
}
