/**
 * Makes sure that no other node has this one's name: nodes are called by their names, and a lease that a node of the
 * same name holds counts as one of an earlier life. Whoever has the name answers for it; an earlier life that died
 * does not, so a node that crashed comes back at once.
 */
import type { Bus, NodeIdentity } from "@atrium/log";
import { Compile, Type } from "@atrium/schema";
import { parseJson } from "@atrium/wire";
import { ConfigError } from "../../platform/config-error.ts";

export interface ClaimNameDeps {
  readonly bus: Pick<Bus, "request" | "subscribe">;
  readonly self: NodeIdentity;
  /** Where this node is reached. */
  readonly url: () => string;
}

/** A node that lives answers at once; one that does not answer is gone, or stands still. */
const ANSWER_MS = 1_000;
const MAX_BYTES = 8_192;
const Bearer = Compile(Type.Object({ life: Type.String(), url: Type.String() }));
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Throws a ConfigError when another node has it; answers for it until it is disposed. */
export async function claimName({ bus, self, url }: ClaimNameDeps): Promise<Disposable> {
  const subject = `cluster.name.${Buffer.from(self.id).toString("hex")}`;
  const answer = await bus.request(subject, encoder.encode("{}"), ANSWER_MS);
  const bearer = answer === undefined ? undefined : urlIn(answer);
  if (bearer !== undefined) {
    throw new ConfigError(
      `another node called ${self.id} runs at ${bearer}: give this one its own name with --node, or stop that one first`,
    );
  }
  return bus.subscribe(subject, (_bytes, reply) =>
    reply?.(encoder.encode(JSON.stringify({ life: self.life, url: url() }))),
  );
}

/** Undefined when it is no answer of a node. */
function urlIn(bytes: Uint8Array): string | undefined {
  const value = bytes.length > MAX_BYTES ? undefined : parseJson(decoder.decode(bytes));
  return Bearer.Check(value) ? value.url : undefined;
}
