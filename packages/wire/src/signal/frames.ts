/**
 * Signal wire: the frames of `ws /ws/signals`, one JSON object each, told apart by `type`.
 *
 *   client: hello?  subscribe  unsubscribe  emit        server: welcome  subscribed  unsubscribed  signal  emitted  error
 *
 * A signal travels inside a frame, because any text is a type of signal and would be taken for ours. One that comes
 * by itself is known by its payload, which no frame has.
 */
import { Type, type Static } from "@atrium/schema";
import { createFrameReader, type FrameReader } from "../frame-reader.ts";
import { strictObject } from "../scalars.ts";

export { UnreadableFrame, type FrameReader } from "../frame-reader.ts";

/** Repeated in the answer, so that a client knows which frame it answers. */
const FrameId = Type.Optional(Type.String({ maxLength: 256 }));

/** `seq.index`: after that signal; `seq`: after all of that entry. */
const SignalPosition = Type.String({ pattern: "^[0-9]{1,15}(?:\\.[0-9]{1,9})?$" });

const Wanted = Type.Union([
  Type.String({ maxLength: 256 }),
  Type.Array(Type.String({ maxLength: 256 }), { maxItems: 100 }),
]);

/** Each that is given must hold; of several values, one. A value that ends in `*` is a beginning. */
export const SignalFilter = strictObject({
  type: Type.Optional(Wanted),
  source: Type.Optional(Wanted),
  agent: Type.Optional(Wanted),
  correlationId: Type.Optional(Wanted),
});
export type SignalFilter = Static<typeof SignalFilter>;

export const SIGNAL_CLIENT_FRAMES = {
  hello: strictObject({
    type: Type.Literal("hello"),
    id: FrameId,
    auth: Type.Optional(strictObject({ token: Type.String({ maxLength: 1024 }) })),
  }),
  subscribe: strictObject({
    type: Type.Literal("subscribe"),
    id: FrameId,
    filter: Type.Optional(SignalFilter),
    after: Type.Optional(SignalPosition),
    /** Of the log that the position is in, as `welcome` told it. */
    epoch: Type.Optional(Type.String({ maxLength: 256 })),
  }),
  unsubscribe: strictObject({ type: Type.Literal("unsubscribe"), id: FrameId }),
  emit: strictObject({
    type: Type.Literal("emit"),
    id: FrameId,
    /** One signal or several; each is checked by itself. */
    signal: Type.Unknown(),
  }),
} as const;

export type SignalClientFrame = {
  [Name in keyof typeof SIGNAL_CLIENT_FRAMES]: Static<(typeof SIGNAL_CLIENT_FRAMES)[Name]>;
}[keyof typeof SIGNAL_CLIENT_FRAMES];

export const createSignalFrameReader = (): FrameReader<SignalClientFrame> =>
  createFrameReader(SIGNAL_CLIENT_FRAMES, ["emit"]);
