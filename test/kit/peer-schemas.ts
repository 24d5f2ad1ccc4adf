/** The peer's own published schemas, as an oracle for what we send. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { Ajv } from "ajv";
import type { Frame } from "./raw-peer.ts";

export interface PeerSchemas {
  /** Fails when the value breaks the peer's definition of that name. */
  check(name: string, value: unknown): void;
  /** The frame itself, and what it carries where the peer has a schema for it. */
  checkFrame(frame: Frame): void;
}

/** Events whose payload the peer has a schema for: its name, and where in the payload it applies. */
const PAYLOADS: Readonly<Record<string, readonly [definition: string, member?: string]>> = {
  tick: ["TickEvent"],
  shutdown: ["ShutdownEvent"],
  chat: ["ChatEvent"],
  agent: ["AgentEvent"],
  health: ["Snapshot/properties/health"],
  presence: ["Snapshot/properties/presence", "presence"],
  "session.message": ["SessionRow", "session"],
  "sessions.changed": ["SessionRow", "session"],
};

export async function loadPeerSchemas(): Promise<PeerSchemas> {
  // The package does not export the file it ships, so it is found beside an export.
  const url = new URL(
    "../protocol.schema.json",
    import.meta.resolve("@openclaw/gateway-protocol/schema"),
  );
  const document = JSON.parse(await readFile(url, "utf8")) as { $id: string };
  const ajv = new Ajv({ strict: false, allErrors: true });
  ajv.addSchema(document);
  const checks = new Map<string, ReturnType<typeof ajv.compile>>();

  function check(name: string, value: unknown): void {
    const known = checks.get(name) ?? ajv.compile({ $ref: `${document.$id}#/definitions/${name}` });
    checks.set(name, known);
    const why = (): string => ajv.errorsText(known.errors);
    assert.ok(known(value), `${name}: ${why()} in ${JSON.stringify(value)?.slice(0, 500)}`);
  }

  return {
    check,
    checkFrame(frame) {
      check(frame.type === "res" ? "ResponseFrame" : "EventFrame", frame);
      const payload = PAYLOADS[frame.event ?? ""];
      if (payload === undefined) return;
      const [name, member] = payload;
      const value: unknown = member === undefined ? frame.payload : frame.payload[member];
      if (value !== undefined) check(name, value);
    },
  };
}
