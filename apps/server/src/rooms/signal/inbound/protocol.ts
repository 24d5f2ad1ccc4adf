/** The frames of a client of signals in, and their answers out, once it is in. */
import { accept, describeRefusal, type Outcome } from "@atrium/core";
import { CLOSE } from "@atrium/wire";
import { UnreadableFrame, type FrameReader, type SignalClientFrame } from "@atrium/wire/signal";
import {
  frameContract,
  implement,
  type MaybePromise,
  type Method,
} from "../../../pipeline/method-router.ts";
import {
  UnreadableMessage,
  type SessionCaller,
  type SessionProtocol,
} from "../../../pipeline/session-loop.ts";

/** A frame, and how many characters it came in. */
export interface SignalFrame<Type extends SignalClientFrame["type"] = SignalClientFrame["type"]> {
  readonly frame: Extract<SignalClientFrame, { readonly type: Type }>;
  readonly size: number;
}

export interface SignalCaller extends SessionCaller {
  welcome(): Outcome<SignalReply>;
  /** Undefined when it has answered: what was asked for follows the answer at once. */
  subscribe(message: SignalFrame<"subscribe">): Outcome<undefined>;
  unsubscribe(): void;
  emit(message: SignalFrame<"emit">): Promise<Outcome<SignalReply>>;
}

/** The frame that answers, without the id that is repeated in it. */
export type SignalReply = Readonly<Record<string, unknown>> & { readonly type: string };

export const TOO_BIG = "the frame is too big";

export function signalMethods(): readonly Method<SignalCaller>[] {
  const on = <Type extends SignalClientFrame["type"]>(
    type: Type,
    handler: (message: SignalFrame<Type>, caller: SignalCaller) => MaybePromise<Outcome<unknown>>,
  ): Method<SignalCaller> =>
    implement<ReturnType<typeof frameContract<SignalFrame<Type>>>, SignalCaller>(
      frameContract(type),
      (message, { caller }) => handler(message, caller),
    );
  return [
    on("hello", (_asked, caller) => caller.welcome()),
    on("subscribe", (message, caller) => caller.subscribe(message)),
    on("unsubscribe", (_asked, caller) => {
      caller.unsubscribe();
      return accept({ type: "unsubscribed" });
    }),
    on("emit", (message, caller) => caller.emit(message)),
  ];
}

export function createSignalProtocol(
  readFrame: FrameReader<SignalClientFrame>,
  limits: { readonly maxSignalBytes: number },
): SessionProtocol<SignalFrame> {
  return {
    read(text, mayExplain) {
      const size = text.length;
      if (size > limits.maxSignalBytes) return new UnreadableMessage(TOO_BIG);
      const read = readFrame(text);
      if (!(read instanceof UnreadableFrame)) return { frame: read, size };
      const { value, problem } = read;
      const id = idOf(value);
      if (isBareSignal(value)) {
        return { frame: { type: "emit", ...named(id), signal: value }, size };
      }
      return new UnreadableMessage(mayExplain() ? problem : "it is not one we know", id);
    },
    route: (message) => ({ id: message.frame.id, method: message.frame.type, params: message }),
    encode(id, _method, outcome) {
      if (outcome.ok) return isReply(outcome.value) ? encodeFrame(id, outcome.value) : undefined;
      const message = describeRefusal(outcome);
      return encodeFrame(id, { type: "error", code: outcome.code, message });
    },
    tooManyErrors: { code: CLOSE.policy, reason: "too many bad frames" },
  };
}

export function encodeFrame(id: string | undefined, { type, ...reply }: SignalReply): string {
  return JSON.stringify({ type, ...named(id), ...reply });
}

function isReply(value: unknown): value is SignalReply {
  return value !== undefined;
}

/** No frame of ours has a payload, so what has one is a signal that came by itself. */
function isBareSignal(value: unknown): value is object {
  return typeof value === "object" && value !== null && "payload" in value;
}

function named(id: string | undefined): { readonly id?: string } {
  return id === undefined ? {} : { id };
}

/** Of a frame that is wrong in some other way. */
function idOf(value: unknown): string | undefined {
  const isNamed = typeof value === "object" && value !== null && "id" in value;
  return isNamed && typeof value.id === "string" && value.id.length <= 256 ? value.id : undefined;
}
