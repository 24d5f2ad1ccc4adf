/**
 * The connection to `codex app-server`: a JSON object in each line, requests both ways, and JSON-RPC but for the member
 * `jsonrpc`, which is left out.
 *
 * It knows ids and lines, and not what the messages mean. A line that is no message breaks it while nothing has been
 * understood yet: then another program answers. Later such a line is passed over.
 */
import type { Readable, Writable } from "node:stream";
import { createLineReader } from "../../process/line-reader.ts";
import { fieldsOf, parseFields, textIn, type Fields } from "../../turn/json-fields.ts";

export type RequestId = number | string;

export interface AppServerHandlers {
  readonly onNotification: (method: string, params: Fields) => void;
  /** A rejection with an AppServerRefusal is sent as an error, any other as an internal one. */
  readonly onRequest: (method: string, params: Fields, id: RequestId) => Promise<object>;
  /** It cannot go on. `undefined`: the program has closed its output. */
  readonly onBroken: (why: Breakage | undefined) => void;
}

export type Breakage =
  | { readonly how: "garbage"; readonly line: string }
  | { readonly how: "too long" };

/** Either side says no to a request. */
export class AppServerRefusal extends Error {
  override readonly name = "AppServerRefusal";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export const METHOD_NOT_FOUND = -32_601;
const INTERNAL = -32_603;

export class AppServerConnection {
  readonly #input: Writable;
  readonly #handlers: AppServerHandlers;
  readonly #waiting = new Map<RequestId, PromiseWithResolvers<Fields>>();
  #lastId = 0;
  #hasUnderstood = false;
  #closed: Error | undefined;

  constructor(
    { stdin, stdout }: { readonly stdin: Writable; readonly stdout: Readable },
    maxLineBytes: number,
    handlers: AppServerHandlers,
  ) {
    this.#input = stdin;
    this.#handlers = handlers;
    const lines = createLineReader(
      maxLineBytes,
      (line) => this.#read(line),
      () => handlers.onBroken({ how: "too long" }),
    );
    stdout.on("data", (bytes: Buffer) => lines.take(bytes));
    stdout.on("end", () => handlers.onBroken(undefined));
    stdout.on("error", () => handlers.onBroken(undefined));
  }

  /** Rejects with an AppServerRefusal, or with what the connection was closed with. */
  request(method: string, params: object): Promise<Fields> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<Fields>();
    this.#waiting.set(id, answer);
    this.#write({ id, method, params });
    return answer.promise;
  }

  notify(method: string): void {
    this.#write({ method });
  }

  close(cause: Error): void {
    this.#closed ??= cause;
    for (const answer of this.#waiting.values()) answer.reject(this.#closed);
    this.#waiting.clear();
  }

  #read(line: string): void {
    if (this.#closed !== undefined) return;
    const message = parseFields(line);
    const method = message === undefined ? undefined : textIn(message, "method");
    const id = message === undefined ? undefined : idIn(message);
    if (message === undefined || (method === undefined && id === undefined)) {
      if (!this.#hasUnderstood) this.#handlers.onBroken({ how: "garbage", line });
      return;
    }
    this.#hasUnderstood = true;
    const params = fieldsOf(message["params"]);
    if (method === undefined) this.#settle(id, message);
    else if (id === undefined) this.#handlers.onNotification(method, params);
    else void this.#answer(id, method, params);
  }

  #settle(id: RequestId | undefined, message: Fields): void {
    const answer = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || answer === undefined) return;
    this.#waiting.delete(id);
    const { error } = message;
    if (error === undefined) return answer.resolve(fieldsOf(message["result"]));
    const { code, message: text } = fieldsOf(error);
    const reason = typeof text === "string" ? text : JSON.stringify(error);
    answer.reject(new AppServerRefusal(typeof code === "number" ? code : INTERNAL, reason));
  }

  async #answer(id: RequestId, method: string, params: Fields): Promise<void> {
    try {
      this.#write({ id, result: await this.#handlers.onRequest(method, params, id) });
    } catch (cause) {
      const isRefused = cause instanceof AppServerRefusal;
      const code = isRefused ? cause.code : INTERNAL;
      const message = isRefused ? cause.message : "Atrium could not answer this.";
      this.#write({ id, error: { code, message } });
    }
  }

  #write(message: object): void {
    if (this.#closed === undefined && this.#input.writable) {
      this.#input.write(`${JSON.stringify(message)}\n`);
    }
  }
}

function idIn(message: Fields): RequestId | undefined {
  const { id } = message;
  return typeof id === "number" || typeof id === "string" ? id : undefined;
}
