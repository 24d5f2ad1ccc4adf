/**
 * A WebSocket client that costs next to nothing: it sends frames that were made before and counts the
 * ones that come back. All sockets read into the same memory, because what was read is never kept.
 */
import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { FrameScanner } from "./frame-scanner.ts";
import { maskedFrame, PING, PONG, TEXT } from "./masked-frame.ts";

/** Says whether a text frame is one of those that are waited for. */
export type FrameTest = (bytes: Buffer, at: number) => boolean;

const HEAD_BYTES = 512;
const END_OF_HEAD = "\r\n\r\n";
const memory = Buffer.allocUnsafeSlow(256 * 1024);
const pong = maskedFrame("", PONG);

export class RawSocket {
  readonly #socket: Socket;
  readonly #scanner = new FrameScanner((...frame) => this.#take(...frame));
  #httpHead = "";
  #isOpen = false;
  /** What came with the answer to the upgrade, until someone can have come to take it. */
  #early: Buffer[] | undefined;
  #frames = 0;
  #bytes = 0;
  #wanted: ((head: string) => void) | undefined;

  /** Which frames count. */
  isCounted: FrameTest = () => false;
  /** Called once per read, with how many of them came and how large they were together. */
  onFrames: (count: number, bytes: number) => void = () => undefined;
  onGone: (reason: Error) => void = () => undefined;
  #onOpen: () => void = () => undefined;

  private constructor(port: number, path: string) {
    this.#socket = connect({
      port,
      host: "127.0.0.1",
      noDelay: true,
      onread: { buffer: memory, callback: (size) => this.#read(memory.subarray(0, size)) },
    });
    this.#socket.on("error", () => undefined);
    this.#socket.on("close", () => this.onGone(new Error(`port ${port} closed the socket`)));
    this.#socket.write(upgradeRequest(port, path));
  }

  static open(port: number, path = "/"): Promise<RawSocket> {
    return new Promise((resolve, reject) => {
      const socket = new RawSocket(port, path);
      socket.#onOpen = () => resolve(socket);
      socket.onGone = reject;
    });
  }

  write(frames: Buffer): void {
    this.#socket.write(frames);
  }

  send(text: string): void {
    this.write(maskedFrame(text));
  }

  /** The start of the next text for which it holds. */
  next(isIt: (head: string) => boolean): Promise<string> {
    return new Promise((resolve, reject) => {
      this.onGone = reject;
      this.#wanted = (head) => {
        if (!isIt(head)) return;
        this.#wanted = undefined;
        resolve(head);
      };
    });
  }

  close(): void {
    this.onGone = () => undefined;
    this.#socket.destroy();
  }

  #read(bytes: Buffer): boolean {
    if (!this.#isOpen) return this.#readHttpHead(bytes);
    if (this.#early !== undefined) {
      this.#early.push(Buffer.from(bytes));
      return true;
    }
    this.#scanner.scan(bytes);
    if (this.#frames > 0) {
      const frames = this.#frames;
      const size = this.#bytes;
      this.#frames = 0;
      this.#bytes = 0;
      this.onFrames(frames, size);
    }
    return true;
  }

  #readHttpHead(bytes: Buffer): boolean {
    const before = this.#httpHead.length;
    this.#httpHead += bytes.toString("latin1");
    const end = this.#httpHead.indexOf(END_OF_HEAD);
    if (end === -1) return true;
    if (!this.#httpHead.startsWith("HTTP/1.1 101")) {
      this.onGone(new Error(`no upgrade: ${this.#httpHead.slice(0, HEAD_BYTES)}`));
      this.#socket.destroy();
      return false;
    }
    this.#isOpen = true;
    this.#onOpen();
    // The one who waits for the opening has to be back before frames are handed out, in order.
    const early = [Buffer.from(bytes.subarray(end + END_OF_HEAD.length - before))];
    this.#early = early;
    setImmediate(() => {
      this.#early = undefined;
      this.#scanner.scan(Buffer.concat(early));
    });
    return true;
  }

  #take(opcode: number, bytes: Buffer, at: number, size: number): void {
    if (opcode === PING) this.write(pong);
    if (opcode !== TEXT) return;
    this.#wanted?.(bytes.toString("latin1", at, at + Math.min(size, HEAD_BYTES)));
    if (!this.isCounted(bytes, at)) return;
    this.#frames++;
    this.#bytes += size;
  }
}

function upgradeRequest(port: number, path: string): string {
  const lines = [
    `GET ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}`,
  ];
  return lines.join("\r\n") + END_OF_HEAD;
}
