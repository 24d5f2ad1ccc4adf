/**
 * The socket at which sessions of Qwen Code say what became of a message. Whoever says it shows the token that was sent
 * with that message; everything else is dropped without an answer.
 */
import { timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { dirname } from "node:path";
import type { Timers } from "../../platform/timers.ts";
import { readAuth, readReceipt, type Receipt } from "./peer-frames.ts";

export interface ReceiptHandlers {
  readonly tokenOf: (msgId: string) => string;
  readonly onReceipt: (receipt: Receipt) => void;
}

export interface ReceiptSocket extends AsyncDisposable {
  readonly path: string;
}

const MAX_CONNECTIONS = 64;
const MAX_LINE_CHARS = 64 * 1024;
/** Of one connection, which brings one receipt. */
const MAX_LINES = 16;
const PATIENCE_MS = 10_000;

/** The one server of a home may open it; what an earlier one left behind is removed. */
export async function openReceiptSocket(
  path: string,
  timers: Timers,
  handlers: ReceiptHandlers,
): Promise<ReceiptSocket> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await rm(path, { force: true });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const cancel = timers.after(PATIENCE_MS, () => socket.destroy());
    socket.on("error", () => undefined);
    socket.on("close", () => {
      cancel();
      sockets.delete(socket);
    });
    readReceipts(socket, handlers);
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(path);
  await once(server, "listening");
  await chmod(path, 0o600);
  return {
    path,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await close(server);
      await rm(path, { force: true });
    },
  };
}

function readReceipts(socket: Socket, { tokenOf, onReceipt }: ReceiptHandlers): void {
  let shown: string | undefined;
  let lines = 0;
  let rest = "";
  const read = (line: string): void => {
    lines += 1;
    shown ??= readAuth(line);
    if (shown === undefined || lines > MAX_LINES) return void socket.destroy();
    const receipt = readReceipt(line);
    if (receipt !== undefined && isSame(shown, tokenOf(receipt.msgId))) onReceipt(receipt);
  };
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    if (rest.length > MAX_LINE_CHARS) socket.destroy();
    for (const line of parts) if (!socket.destroyed) read(line);
  });
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

async function close(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  await closed;
}
