/**
 * Tools that a message brings along, the calls that its sender is asked to make, and what they returned. The agent calls
 * such a tool like any other; whoever sent the message makes the call.
 *
 * All of it is kept outside the log: programs send the same long list of tools with every message, and a call may carry
 * a whole file.
 */
import { Fault, type KeptOutput } from "@atrium/core";
import { checkLater, Type, type Static, type TSchema } from "@atrium/schema";
import { parseJson } from "@atrium/wire";
import type { Blobs } from "../../platform/blobs.ts";

const ClientTool = Type.Object({
  name: Type.String(),
  description: Type.String(),
  /** JSON Schema of an object. */
  input: Type.Record(Type.String(), Type.Unknown()),
});

const ClientToolset = Type.Object({
  tools: Type.Array(ClientTool),
  /** One of these must be called before the answer; empty: the agent chooses. */
  mustCall: Type.Array(Type.String()),
  /** The client makes one call at a time. */
  isSerial: Type.Boolean(),
});
export type ClientToolset = Static<typeof ClientToolset>;

/** A call as the client is asked to make it. */
const ClientCall = Type.Object({
  id: Type.String(),
  name: Type.String(),
  /** JSON. */
  arguments: Type.String(),
});
export type ClientCall = Static<typeof ClientCall>;

const KeptPause = Type.Object({
  /** What the run had said since it last waited for its client. */
  text: Type.String(),
  calls: Type.Array(ClientCall),
});
export type KeptPause = Static<typeof KeptPause>;

const ClientAnswers = Type.Object({
  answers: Type.Array(Type.Object({ callId: Type.String(), text: Type.String() })),
  /** The tools that the client still makes calls of. */
  mayCall: Type.Array(Type.String()),
});
export type ClientAnswers = Static<typeof ClientAnswers>;

export async function keepCalls(
  keep: Blobs["put"],
  value: ClientToolset | KeptPause | ClientAnswers,
): Promise<KeptOutput> {
  const bytes = Buffer.from(JSON.stringify(value));
  return { digest: await keep(bytes), bytes: bytes.byteLength };
}

type Read<Value> = (blobs: Pick<Blobs, "get">, digest: string) => Promise<Value>;

export const readToolset = reader(ClientToolset);
export const readPause = reader(KeptPause);
export const readAnswers = reader(ClientAnswers);

function reader<Schema extends TSchema>(schema: Schema): Read<Static<Schema>> {
  const validator = checkLater(schema);
  return async (blobs, digest) => {
    const value = parseJson((await blobs.get(digest)).toString("utf8"));
    if (!validator.Check(value)) throw new Fault("kept calls cannot be read", { digest });
    return value;
  };
}
