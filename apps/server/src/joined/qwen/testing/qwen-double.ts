/**
 * A session of Qwen Code as others find it: its file in the list of sessions, its list of controllers, and a real socket
 * that reads lines, takes each message once and sends receipts, as the program's protocol says. The process that it
 * claims to be is a real one.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openProgramProcess } from "../../sightings/testing/program-process.ts";

export const TOKEN = `qpc_${"0a".repeat(32)}`;
export const SESSION_ID = "b50a20e4-1192-4f93-807c-308a4ba093cf";

// oxlint-disable-next-line typescript/no-explicit-any -- a frame as it came
export type Frame = any;

export interface QwenDouble extends AsyncDisposable {
  /** Of the program's files. */
  readonly folder: string;
  readonly socketPath: string;
  readonly process: string;
  /** Each message that the model was given, once. */
  readonly read: readonly string[];
  /** Each frame that came by a connection with the token. */
  readonly frames: readonly Frame[];
  /** What it does with a message: a status of its receipt, or nothing at all. */
  setVerdict(verdict: string | null): void;
  /** It takes messages, and its receipts are lost. */
  setMute(isMute: boolean): void;
  /** Writes its file of the list, with these fields instead. */
  register(fields?: object): void;
  /** The controllers that it lists, by their tokens. */
  trust(...tokens: readonly string[]): void;
  /** Sends a receipt for a message, or whatever this says. */
  tell(
    frame: Frame,
    status: string,
    instead?: { replyToken?: string; origMsgId?: string },
  ): Promise<void>;
  /** Its process is gone, and its socket. */
  end(): Promise<void>;
}

export async function openQwenDouble(): Promise<QwenDouble> {
  const folder = mkdtempSync(join(tmpdir(), "atrium-qwen-"));
  const [sessions, sockets] = [join(folder, "sessions"), join(folder, "socks")];
  for (const each of [sessions, sockets]) mkdirSync(each, { mode: 0o700 });
  const claimed = await openProgramProcess("qwen", folder);
  const { pid, identity } = claimed;
  const socketPath = join(sockets, `${pid}.sock`);
  const trusted = new Set([TOKEN]);
  const frames: Frame[] = [];
  const read: string[] = [];
  const settled = new Map<string, string>();
  const open = new Set<Socket>();
  let verdict: string | null = "delivered";
  let isMute = false;

  async function tell(frame: Frame, status: string, instead = {}): Promise<void> {
    const { replyToken, origMsgId } = {
      replyToken: frame.replyToken,
      origMsgId: frame.msgId,
      ...instead,
    };
    const auth = { msgV: 1, type: "auth", token: replyToken };
    const receipt = {
      msgV: 1,
      msgId: "r1",
      type: "control",
      action: "delivery_status",
      status,
      origMsgId,
    };
    await sendLines(frame.from, [auth, receipt]);
  }

  function take(frame: Frame): void {
    frames.push(frame);
    const before = settled.get(frame.msgId);
    const status = before ?? verdict;
    if (status === null) return;
    if (before === undefined) {
      if (status === "delivered") read.push(frame.message.content);
      if (status !== "held" && status !== "dropped") settled.set(frame.msgId, status);
    }
    if (!isMute) void tell(frame, status).catch(() => undefined);
  }

  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    let text = "";
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => (text += chunk));
    socket.on("error", () => undefined);
    socket.on("close", () => open.delete(socket));
    socket.on("end", () => {
      const [auth = "{}", frame = "{}"] = text.split("\n");
      if (trusted.has(JSON.parse(auth).token)) take(JSON.parse(frame));
      socket.end();
    });
  });
  server.listen(socketPath);
  await once(server, "listening");
  chmodSync(socketPath, 0o600);

  function register(fields: object = {}): void {
    const record = {
      schemaVersion: 1,
      pid,
      procStart: `a-boot-id:${identity.split(":")[1]}`,
      sessionId: SESSION_ID,
      cwd: folder,
      kind: "tui",
      ipcPath: socketPath,
      ipcToken: "00".repeat(32),
      ...fields,
    };
    writeFileSync(join(sessions, `${pid}.json`), JSON.stringify(record), { mode: 0o600 });
  }

  function trust(...tokens: readonly string[]): void {
    trusted.clear();
    for (const token of tokens) trusted.add(token);
    const controllers = tokens.map((token, at) => ({
      id: `c_0000000${at}`,
      label: `C${at}`,
      tokenHash: createHash("sha256").update(token).digest("hex"),
      createdAt: 1,
    }));
    const list = { schemaVersion: 1, controllers };
    writeFileSync(join(folder, "peer-controllers.json"), JSON.stringify(list), { mode: 0o600 });
  }

  async function end(): Promise<void> {
    for (const socket of open) socket.destroy();
    if (server.listening) {
      const closed = once(server, "close");
      server.close();
      await closed;
    }
    await claimed.kill();
  }

  register();
  trust(TOKEN);
  return {
    folder,
    socketPath,
    process: identity,
    read,
    frames,
    setVerdict: (next) => void (verdict = next),
    setMute: (next) => void (isMute = next),
    register,
    trust,
    tell,
    end,
    async [Symbol.asyncDispose]() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Sends them as they are, and waits for the end. */
export async function sendLines(path: string, lines: readonly unknown[]): Promise<void> {
  const socket = connect(path);
  const closed = Promise.withResolvers<void>();
  socket.on("error", closed.reject).on("close", () => closed.resolve());
  socket.resume();
  const written = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  socket.end(`${written.join("\n")}\n`);
  await closed.promise;
}
