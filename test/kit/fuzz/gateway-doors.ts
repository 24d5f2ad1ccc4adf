/** The gateway over its socket: every method of the catalogue as an operator and as a node, and the handshake itself. */
import assert from "node:assert/strict";
import { GATEWAY_METHODS } from "@atrium/wire/gateway";
import { connectNode } from "../node.ts";
import { connectParams, connectPeer, openPeer, type Frame, type RawPeer } from "../raw-peer.ts";
import { within, type Door, type Fuzzer, type Place } from "./fuzzer.ts";
import { mutate } from "./mutate.ts";

const PATIENCE_MS = 20_000;
/** These answer when something happens elsewhere, which may be never. */
const WAITING = /wait|^agent$|^exec\.approval\.request$|^question\.request$|^node\.invoke$|^poll$/i;
/** What changes something is asked for more often than what only reads. */
const METHODS = GATEWAY_METHODS.filter(({ name }) => name !== "connect").flatMap((method) =>
  Array.from(
    { length: { none: 1, optional: 3, required: 8, frame: 8 }[method.idempotency] },
    () => method,
  ),
);

/** "question" of "question.answer", and the same for all kinds of approvals. */
function subjectOf(name: string): string {
  return name.includes("approval") ? "approval" : (name.split(".")[0] ?? "").replace(/s$/, "");
}

export function openOperatorDoor(place: Place, fuzzer: Fuzzer): Door {
  const connect = (): Promise<RawPeer> =>
    connectPeer(place.wsUrl, { auth: { token: place.token } });
  return openMethodsDoor("gateway", METHODS, connect, fuzzer);
}

/** Nodes choose what they offer, and are asked to do it by others. */
export function openNodeDoor(place: Place, fuzzer: Fuzzer): Door {
  const { chance, text } = fuzzer;
  const name = (): string => text().slice(0, 60);
  const connect = async (): Promise<RawPeer> => {
    const commands = [name(), name()].filter((each) => each !== "");
    const permissions = Object.fromEntries([[name(), chance.percent(50)]]);
    return connectNode(place, { commands, permissions, displayName: name() }).catch(() =>
      connectNode(place),
    );
  };
  const theirs = METHODS.filter(({ name: method }) => /^node\.(?:event|invoke\.)/.test(method));
  return openMethodsDoor("node", theirs, connect, fuzzer);
}

function openMethodsDoor(
  name: string,
  methods: typeof METHODS,
  connect: () => Promise<RawPeer>,
  fuzzer: Fuzzer,
): Door {
  const { chance, make, learn, note, count } = fuzzer;
  let peer: RawPeer | undefined;
  let number = 0;

  async function send(method: string, params: unknown): Promise<void> {
    peer ??= await connect();
    const id = `f${++number}`;
    const answer = peer.next((frame) => frame.type === "res" && frame.id === id);
    peer.send({ type: "req", id, method, params });
    const patience = WAITING.test(method) ? 200 : PATIENCE_MS;
    let frame: Frame | undefined;
    try {
      frame = await within(patience, answer);
    } catch {
      // Shown the door, as its rules say for some; whether the server is well is asked elsewhere.
      peer = undefined;
      return;
    }
    answer.catch(() => undefined);
    if (frame === undefined) {
      assert.ok(WAITING.test(method), `${method} was not answered`);
      return;
    }
    assert.notEqual(frame.error?.details?.reason, "internal", `${method}: ${frame.error?.message}`);
    if (frame.ok === true) count(name, "taken");
    learn(frame.payload, subjectOf(method));
    for (const { event, payload } of peer.frames) {
      if (event !== undefined) learn(payload, subjectOf(event));
    }
    // What is kept of the talk would grow with every call.
    peer.frames.length = 0;
  }

  return {
    name,
    async call() {
      const { name: method, params } = chance.pick(methods);
      const sent = make(params, subjectOf(method));
      const asked = chance.percent(3) ? fuzzer.text() : method;
      note(name, [asked, sent]);
      count(name, "calls");
      await send(asked, sent);
    },
    async [Symbol.asyncDispose]() {
      await peer?.[Symbol.asyncDispose]();
    },
  };
}

/** A stranger, or someone known who introduces himself oddly. */
export function openHandshakeDoor(place: Place, fuzzer: Fuzzer): Door {
  const { chance, make, note, count, text } = fuzzer;
  const connect = GATEWAY_METHODS.find(({ name }) => name === "connect");
  assert.ok(connect);
  return {
    name: "handshake",
    async call() {
      const { auth, ...known } = connectParams({ auth: { token: place.token } });
      const sent = chance.percent(50)
        ? make(connect.params)
        : { ...(mutate(known, chance) as object), auth };
      note("handshake", sent);
      count("handshake", "calls");
      await using peer = await openPeer(place.wsUrl);
      const answer = peer.first((frame) => frame.type === "res").catch(() => undefined);
      if (chance.percent(5)) peer.sendText(text().toWellFormed());
      else peer.send({ type: "req", id: "c", method: "connect", params: sent });
      const frame = await within(PATIENCE_MS, answer);
      assert.notEqual(frame?.error?.details?.reason, "internal", String(frame?.error?.message));
      if (frame?.ok === true) count("handshake", "taken");
    },
    async [Symbol.asyncDispose]() {},
  };
}
