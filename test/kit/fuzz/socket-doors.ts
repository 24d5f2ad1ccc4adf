import assert from "node:assert/strict";
import { once } from "node:events";
/** The world, the signals and the bridge: doors whose frames are not requests. */
import { PLUGIN_FRAMES } from "@atrium/wire/bridge";
import { SIGNAL_CLIENT_FRAMES, SIGNAL_PAYLOADS } from "@atrium/wire/signal";
import { WORLD_CLIENT_MESSAGES, WORLD_COMMANDS } from "@atrium/wire/world";
import { WebSocket } from "ws";
import { within, type Door, type Fuzzer, type Place } from "./fuzzer.ts";

const PATIENCE_MS = 20_000;

interface Talk {
  readonly name: string;
  readonly open: () => Promise<WebSocket>;
  /** What to send next. */
  readonly say: () => unknown;
  /** What is answered by its echo: everything before it has been dealt with. */
  readonly echo: (mark: string) => unknown;
  /** How what was taken is answered. */
  readonly taken: RegExp;
  readonly isInternal: (answer: string) => boolean;
}

function openTalkDoor({ name, open, say, echo, taken, isInternal }: Talk, fuzzer: Fuzzer): Door {
  let socket: WebSocket | undefined;
  let gone: Promise<string> | undefined;
  let internal: string | undefined;
  let heard: ((text: string) => void) | undefined;
  let marks = 0;

  async function connect(): Promise<WebSocket> {
    const opened = await open();
    opened.on("error", () => undefined);
    gone = new Promise((resolve) => void opened.on("close", () => resolve("gone")));
    opened.on("message", (data: Buffer) => {
      const text = data.toString();
      if (isInternal(text)) internal = text;
      if (taken.test(text)) fuzzer.count(name, "taken");
      if (text.length < 100_000) fuzzer.learn(JSON.parse(text), name);
      heard?.(text);
    });
    return opened;
  }

  return {
    name,
    async call() {
      socket ??= await connect();
      const sent = say();
      fuzzer.note(name, sent);
      fuzzer.count(name, "calls");
      const mark = `mark-${++marks}`;
      const echoed = new Promise<string>((resolve) => {
        heard = (text) => void (text.includes(mark) && resolve(text));
      });
      const isText = typeof sent === "string" && fuzzer.chance.percent(50);
      socket.send(isText ? sent.toWellFormed() : JSON.stringify(sent));
      socket.send(JSON.stringify(echo(mark)));
      const how =
        socket.readyState === WebSocket.OPEN
          ? await within(PATIENCE_MS, Promise.race([echoed, gone ?? echoed]))
          : "gone";
      assert.notEqual(how, undefined, `${name} is silent`);
      if (how === "gone") socket = undefined;
      assert.equal(internal, undefined, `${name}: internal`);
    },
    async [Symbol.asyncDispose]() {
      if (socket === undefined || socket.readyState === WebSocket.CLOSED) return;
      socket.terminate();
      await once(socket, "close");
    },
  };
}

export function openWorldDoor({ wsUrl, token }: Place, fuzzer: Fuzzer): Door {
  const { chance, make, text } = fuzzer;
  const message = (type: string, payload: unknown): object => {
    const id = chance.percent(90) ? `f_${chance.below(1e9)}` : text();
    return { type, id, ts: Date.now(), v: 1, payload };
  };
  const open = async (): Promise<WebSocket> => {
    const headers = { authorization: `Bearer ${token}` };
    const socket = new WebSocket(new URL("/ws/world", wsUrl), { headers });
    await once(socket, "open");
    if (chance.percent(5)) return socket;
    const client = { name: text().slice(0, 50), build: "dev", platform: "test" };
    socket.send(JSON.stringify({ type: "hello", id: "h", ts: 1, v: 1, payload: { client } }));
    const payload = { scene_id: "cozy_office_v0", channels: { events: true, chat: true } };
    socket.send(JSON.stringify({ type: "subscribe", id: "s", ts: 1, v: 1, payload }));
    return socket;
  };
  const say = (): unknown => {
    if (chance.percent(70)) {
      const name = chance.pick(Object.keys(WORLD_COMMANDS)) as keyof typeof WORLD_COMMANDS;
      const data = make(WORLD_COMMANDS[name], "world");
      return message("command", { name: chance.percent(95) ? name : text(), data });
    }
    const type = chance.pick(Object.keys(WORLD_CLIENT_MESSAGES));
    return make(WORLD_CLIENT_MESSAGES[type as "chat"]);
  };
  const echo = (mark: string): object => ({
    type: "ping",
    id: mark,
    ts: Date.now(),
    v: 1,
    payload: {},
  });
  const isInternal = (answer: string): boolean => answer.includes('"code":"INTERNAL"');
  return openTalkDoor(
    { name: "world", open, say, echo, taken: /"type":"ack"/, isInternal },
    fuzzer,
  );
}

/** A signal of a known type, with something hostile in it. */
export function makeSignal({ chance, make, text }: Fuzzer): object {
  const type = chance.pick(Object.keys(SIGNAL_PAYLOADS)) as keyof typeof SIGNAL_PAYLOADS;
  return {
    id: chance.percent(90) ? `s-${chance.below(1e9)}` : text(),
    type: chance.percent(95) ? type : text(),
    timestamp: Date.now(),
    source: chance.percent(70) ? "fuzz" : text(),
    ...(chance.percent(30) && { correlationId: text() }),
    ...(chance.percent(30) && { metadata: Object.fromEntries([[text(), text()]]) }),
    payload: make(SIGNAL_PAYLOADS[type]),
  };
}

export function openSignalsDoor({ wsUrl, token }: Place, fuzzer: Fuzzer): Door {
  const { chance, make } = fuzzer;
  const open = async (): Promise<WebSocket> => {
    const headers = { authorization: `Bearer ${token}` };
    const socket = new WebSocket(new URL("/ws/signals", wsUrl), { headers });
    await once(socket, "open");
    return socket;
  };
  const say = (): unknown => {
    if (chance.percent(60)) return { type: "emit", id: "e", signal: makeSignal(fuzzer) };
    const type = chance.pick(Object.keys(SIGNAL_CLIENT_FRAMES));
    return make(SIGNAL_CLIENT_FRAMES[type as "emit"]);
  };
  const echo = (mark: string): object => ({ type: "unsubscribe", id: mark });
  const isInternal = (answer: string): boolean => answer.includes('"code":"internal"');
  return openTalkDoor(
    { name: "signals", open, say, echo, taken: /"accepted":1/, isInternal },
    fuzzer,
  );
}

/** The plugin's side of a bridge session that is open; `hello` lets it in. */
export function openBridgeDoor(
  session: { readonly url: string; readonly hello: object },
  fuzzer: Fuzzer,
): Door {
  const { chance, make } = fuzzer;
  const open = async (): Promise<WebSocket> => {
    const socket = new WebSocket(session.url);
    await once(socket, "open");
    if (chance.percent(90)) socket.send(JSON.stringify(session.hello));
    return socket;
  };
  const say = (): unknown => {
    const type = chance.pick(Object.keys(PLUGIN_FRAMES));
    return make(PLUGIN_FRAMES[type as "hello"]);
  };
  const echo = (mark: string): object => ({ type: "ping", ts: mark });
  const [taken, isInternal] = [/"type":"tool_result"/, () => false];
  return openTalkDoor({ name: "bridge", open, say, echo, taken, isInternal }, fuzzer);
}
