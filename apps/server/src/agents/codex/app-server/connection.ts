/**
 * The connection to `codex app-server`: requests both ways, JSON-RPC but for the member `jsonrpc`, which is left out. A
 * program has a JSON object in each line, the daemon of Codex one in each message of its socket.
 *
 * It knows ids, and not what the messages mean. What is no message breaks it while nothing has been understood yet: then
 * another program answers. Later it is passed over.
 */
import type { Readable, Writable } from "node:stream";
import { createLineReader } from "../../process/line-reader.ts";
import { fieldsOf, parseFields, textIn, type Fields } from "../../turn/json-fields.ts";

export type RequestId = number | string;

export interface AppServerHandlers {
  readonly onNotification: (method: string, params: Fields) => void;
  /**
   * A rejection with an AppServerRefusal is sent as an error, any other as an internal one. Undefined: nothing is sent,
   * because somebody else answers.
   */
  readonly onRequest: (
    method: string,
    params: Fields,
    id: RequestId,
  ) => Promise<object | undefined>;
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
  readonly #send: (message: string) => void;
  readonly #handlers: AppServerHandlers;
  readonly #waiting = new Map<RequestId, PromiseWithResolvers<Fields>>();
  #lastId = 0;
  #hasUnderstood = false;
  #closed: Error | undefined;

  constructor(send: (message: string) => void, handlers: AppServerHandlers) {
    this.#send = send;
    this.#handlers = handlers;
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

  /** Takes in one message as it came. */
  read(line: string): void {
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
      const result = await this.#handlers.onRequest(method, params, id);
      if (result !== undefined) this.#write({ id, result });
    } catch (cause) {
      const isRefused = cause instanceof AppServerRefusal;
      const code = isRefused ? cause.code : INTERNAL;
      const message = isRefused ? cause.message : "Atrium could not answer this.";
      this.#write({ id, error: { code, message } });
    }
  }

  #write(message: object): void {
    if (this.#closed === undefined) this.#send(JSON.stringify(message));
  }
}

/** With a program, by the lines of its standard input and output. */
export function connectByLines(
  { stdin, stdout }: { readonly stdin: Writable; readonly stdout: Readable },
  maxLineBytes: number,
  handlers: AppServerHandlers,
): AppServerConnection {
  const connection = new AppServerConnection((message) => {
    if (stdin.writable) stdin.write(`${message}\n`);
  }, handlers);
  const lines = createLineReader(
    maxLineBytes,
    (line) => connection.read(line),
    () => handlers.onBroken({ how: "too long" }),
  );
  stdout.on("data", (bytes: Buffer) => lines.take(bytes));
  stdout.on("end", () => handlers.onBroken(undefined));
  stdout.on("error", () => handlers.onBroken(undefined));
  return connection;
}

function idIn(message: Fields): RequestId | undefined {
  const { id } = message;
  return typeof id === "number" || typeof id === "string" ? id : undefined;
}
