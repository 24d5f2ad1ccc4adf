/**
 * The calls of one run that its client makes.
 *
 *   call -> those made together are one request in the log -> the client makes them -> its results are in the log -> the
 *   calls return
 *
 * The client is asked once at a time: what is called meanwhile waits until it has answered. A tool that has the name of
 * one of ours is offered under another, so that it cannot take its place.
 */
import type { ToolDeclaration, ToolResult } from "../../agents/turn/agent-runtime.ts";
import { untilAborted } from "../../agents/turn/until-aborted.ts";
import type { ClientAnswers, ClientCall, ClientToolset } from "./kept-calls.ts";

export interface ClientCallsPorts {
  /** Asks the client; false when the run is over. */
  readonly request: (calls: readonly ClientCall[]) => Promise<boolean>;
  readonly readAnswers: (digest: string) => Promise<ClientAnswers>;
  readonly newCallId: () => string;
  readonly after: (ms: number, run: () => void) => () => void;
  /** The client has not answered in time. */
  readonly onTimeout: (calls: readonly ClientCall[]) => void;
  readonly onFault: (cause: unknown) => void;
  readonly timeoutMs: number;
}

interface WaitingCall {
  readonly call: ClientCall;
  readonly signal: AbortSignal;
  readonly resolve: (result: ToolResult) => void;
}

interface OpenRequest {
  readonly number: number;
  readonly calls: readonly WaitingCall[];
  stopTimer: () => void;
}

const PREFIX = "client_";
/** Names that mean something else to whoever looks one up in an object. */
const INHERITED: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

export class ClientCalls implements Disposable {
  readonly declarations: readonly ToolDeclaration[];
  /** As they are offered; one of them must be called before the answer. */
  readonly mustCall: readonly string[];
  readonly #ports: ClientCallsPorts;
  readonly #isSerial: boolean;
  /** The client's names, by those that are offered. */
  readonly #names: ReadonlyMap<string, string>;
  #mayCall: ReadonlySet<string>;
  #waiting: WaitingCall[] = [];
  #open: OpenRequest | undefined;
  #count = 0;
  #isOver = false;

  /** `taken`: the names of the tools that the run has besides. */
  constructor(toolset: ClientToolset, taken: ReadonlySet<string>, ports: ClientCallsPorts) {
    const { tools, mustCall, isSerial } = toolset;
    const names = new Map<string, string>();
    const isTaken = (name: string): boolean =>
      taken.has(name) || names.has(name) || INHERITED.has(name);
    this.declarations = tools.map(({ name, description, input }) => {
      let offered = name;
      while (isTaken(offered)) offered = `${PREFIX}${offered}`;
      names.set(offered, name);
      // The client may ask people before it makes a call.
      return { name: offered, description, input, isParallel: true, waitsForPeople: true };
    });
    this.mustCall = [...names].flatMap(([offered, name]) =>
      mustCall.includes(name) ? [offered] : [],
    );
    this.#names = names;
    this.#mayCall = new Set(names.values());
    this.#isSerial = isSerial;
    this.#ports = ports;
  }

  has(offered: string): boolean {
    return this.#names.has(offered);
  }

  /** Rejects when the signal is aborted. */
  call(offered: string, input: unknown, signal: AbortSignal): Promise<ToolResult> {
    const name = this.#names.get(offered) ?? offered;
    if (!this.#mayCall.has(name)) return Promise.resolve(notAnyMore(offered));
    const { promise, resolve } = Promise.withResolvers<ToolResult>();
    const call = { id: this.#ports.newCallId(), name, arguments: JSON.stringify(input ?? {}) };
    this.#waiting.push({ call, signal, resolve });
    // Calls that are made together reach the client together.
    this.#ports.after(0, () => void this.#request());
    return untilAborted(signal, promise);
  }

  /** The results of that request are in the log; told more than once. */
  answer(number: number, digest: string): void {
    const open = this.#open;
    if (open?.number !== number) return;
    this.#open = undefined;
    open.stopTimer();
    void this.#return(open, digest);
  }

  /** The run has ended: nobody waits any more. */
  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#open?.stopTimer();
  }

  async #request(): Promise<void> {
    if (this.#open !== undefined || this.#isOver) return;
    const wanted = this.#waiting.filter(({ signal }) => !signal.aborted);
    const count = this.#isSerial ? 1 : wanted.length;
    const calls = wanted.slice(0, count);
    this.#waiting = wanted.slice(count);
    if (calls.length === 0) return;
    this.#count += 1;
    const open: OpenRequest = { number: this.#count, calls, stopTimer: () => undefined };
    this.#open = open;
    const requests = calls.map(({ call }) => call);
    try {
      if (await this.#ports.request(requests)) {
        this.#startTimer(open, requests);
        return;
      }
    } catch (cause) {
      this.#ports.onFault(cause);
    }
    this.#open = undefined;
    for (const { call, resolve } of calls) resolve(notAsked(call.name));
  }

  /** Not before the client can know what it is asked. */
  #startTimer(open: OpenRequest, requests: readonly ClientCall[]): void {
    if (this.#open !== open || this.#isOver) return;
    const { after, timeoutMs, onTimeout } = this.#ports;
    open.stopTimer = after(timeoutMs, () => onTimeout(requests));
  }

  async #return({ calls }: OpenRequest, digest: string): Promise<void> {
    const texts = new Map<string, string>();
    try {
      const { answers, mayCall } = await this.#ports.readAnswers(digest);
      this.#mayCall = new Set(mayCall);
      for (const { callId, text } of answers) texts.set(callId, text);
    } catch (cause) {
      this.#ports.onFault(cause);
    }
    for (const { call, resolve } of calls) {
      const text = texts.get(call.id);
      // What a client's tool did elsewhere has changed no file here.
      resolve(text === undefined ? notAsked(call.name) : { text, isError: false, wrote: [] });
    }
    await this.#request();
  }
}

function notAnyMore(name: string): ToolResult {
  const text = `The client makes no more calls of ${name}. Answer with what you have.`;
  return { text, isError: true, wrote: [] };
}

function notAsked(name: string): ToolResult {
  return { text: `The client could not be asked to call ${name}.`, isError: true, wrote: [] };
}
