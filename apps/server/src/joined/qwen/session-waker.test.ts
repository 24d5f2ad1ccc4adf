/** The waker of a server, with a session of Qwen Code at a real socket, and a clock that is turned by hand. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import {
  createDispatch,
  createJoinedSessions,
  joinedSession,
  openProjections,
  type JoinedSessionCommand,
  type LeftMessage,
} from "@atrium/core";
import { createTestTime } from "@atrium/core/testing";
import { openMemoryLog, type Log } from "@atrium/log";
import { identityOf } from "../../confinement/process-tree.ts";
import { sessionKey } from "../hook-report.ts";
import { LeftMessages } from "../left-messages.ts";
import { LiveSessions } from "../live-sessions.ts";
import { createOwnSessions } from "../own-sessions.ts";
import { SessionWaker } from "./session-waker.ts";
import {
  openQwenDouble,
  sendLines,
  SESSION_ID,
  TOKEN,
  type QwenDouble,
} from "./testing/qwen-double.ts";

const ID = sessionKey("qwen", SESSION_ID);
const LOOK_MS = 2_000;
const RETRY_MS = 10_000;
const ann = { id: "device-a", name: "Ann", via: "world" } as const;

interface StageOptions {
  readonly log?: Log;
  readonly home?: string;
  readonly process?: string | null;
  readonly node?: string;
}

/** One life of a server: what is in the log outlives it. */
async function openStage(qwen: QwenDouble, options: StageOptions = {}) {
  const { log = openMemoryLog(), process = qwen.process } = options;
  const home = options.home ?? mkdtempSync(join(tmpdir(), "atrium-waker-"));
  mkdirSync(join(home, "joined"), { recursive: true, mode: 0o700 });
  const allow = (token = TOKEN, folder = qwen.folder): void =>
    writeFileSync(join(home, "joined", "qwen-controller.json"), JSON.stringify({ folder, token }));
  allow();
  const time = createTestTime();
  const sessions = createJoinedSessions();
  const projections = await openProjections(log, [sessions]);
  const dispatch = createDispatch({ log, clock: time.clock, settled: projections.settled });
  const live = new LiveSessions(time.clock);
  const messages = new LeftMessages({ dispatch, sessions });
  const faults: unknown[] = [];
  const waker = new SessionWaker({
    dispatch,
    own: createOwnSessions(sessions, options.node),
    live,
    messages,
    homeFolder: home,
    identityOf,
    receiptSecret: `of ${options.home ?? "the first life"}`,
    clock: time.clock,
    timers: time.timers,
    onFault: (cause) => void faults.push(cause),
  });
  const tell = async (command: JoinedSessionCommand): Promise<void> => {
    const outcome = await dispatch(joinedSession, ID, command);
    assert.ok(outcome.ok);
    waker.look(ID);
  };
  const details = {
    program: "qwen",
    process,
    model: null,
    owner: null,
    folder: null,
    branch: null,
    canAsk: false,
  };
  await tell({ type: "join", details });
  const message = (id: string): LeftMessage | undefined =>
    sessions.get(ID)?.messages.find(({ messageId }) => messageId === id);
  return {
    log,
    home,
    live,
    messages,
    time,
    waker,
    faults,
    tell,
    allow,
    message,
    canWake: () => live.get(ID)?.canWake ?? false,
    leave: (messageId: string, text = "Mind the tide.") =>
      tell({ type: "leave-message", messageId, text, by: ann }),
    isDelivered: (id: string) => () => message(id)?.delivered?.moment === "wake",
    isOffered: (id: string) => () => message(id)?.offered !== undefined,
    async [Symbol.asyncDispose]() {
      await waker[Symbol.asyncDispose]();
      if (options.home === undefined) rmSync(home, { recursive: true, force: true });
      assert.deepEqual(faults, []);
    },
  };
}

type Stage = Awaited<ReturnType<typeof openStage>>;

/** One whose message m1 has come to the session's socket. */
async function openSent(qwen: QwenDouble): Promise<Stage> {
  const stage = await openStage(qwen);
  await stage.leave("m1");
  await until(() => qwen.frames.length === 1);
  return stage;
}

/** Others are at work at sockets of their own: it is looked for until it is so. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setTimeout(5);
}

/** Looks until it has, whatever it was at before. */
async function look({ waker, time }: Stage, isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    time.advance(LOOK_MS);
    waker.look(ID);
    await setTimeout(5);
  }
}

/** All that is under way has come to its end. */
async function settle({ waker }: Stage): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    waker.look(ID);
    await setTimeout(10);
  }
}

test("[JOIN-80] an idle session is woken by each message, one after the other, in its own words", async () => {
  await using qwen = await openQwenDouble();
  await using stage = await openStage(qwen);
  await until(stage.canWake);
  await Promise.all([stage.leave("m1", "One."), stage.leave("m2", "Two.")]);
  await until(stage.isDelivered("m2"));
  assert.deepEqual(qwen.read, [
    "Ann left a message in Atrium: One.",
    "Ann left a message in Atrium: Two.",
  ]);
  const [frame] = qwen.frames;
  assert.deepEqual([frame.msgV, frame.type, frame.toSessionId], [1, "user", SESSION_ID]);
  assert.equal(frame.fromMode, undefined);
  assert.equal(statSync(frame.from).mode & 0o777, 0o600);
  assert.ok(stage.isDelivered("m1")());
});

test("[JOIN-80] one that works is not told so, and its hook takes the message", async () => {
  await using qwen = await openQwenDouble();
  await using stage = await openStage(qwen);
  await stage.tell({ type: "change-activity", activity: "working" });
  await look(stage, () => !stage.canWake());
  await stage.leave("m1");
  await settle(stage);
  assert.equal(stage.isOffered("m1")(), false);
  const taken = stage.messages.take(ID);
  assert.match(taken?.text ?? "", /Mind the tide/);
  // The hook has it: becoming idle changes nothing.
  await stage.tell({ type: "change-activity", activity: "idle" });
  await settle(stage);
  assert.deepEqual(qwen.frames, []);
  taken?.release();
  await look(stage, stage.isDelivered("m1"));
});

test("[JOIN-81] the page says so only while a token is there, is not taken back, and leads to a socket", async () => {
  await using qwen = await openQwenDouble();
  await using stage = await openStage(qwen);
  await until(stage.canWake);
  qwen.trust();
  await look(stage, () => !stage.canWake());
  qwen.trust(TOKEN);
  await look(stage, stage.canWake);
  for (const [token, folder] of [
    ["__proto__", qwen.folder],
    [`qpc_${"zz".repeat(32)}`, qwen.folder],
    [TOKEN, "constructor"],
    [TOKEN, "/nowhere"],
  ] as const) {
    stage.allow(token, folder);
    await look(stage, () => !stage.canWake());
    stage.allow();
    await look(stage, stage.canWake);
  }
  await qwen.end();
  await look(stage, () => !stage.canWake());
});

test("[JOIN-85] what the list of sessions says otherwise than it should is not believed", async () => {
  await using qwen = await openQwenDouble();
  await using stage = await openStage(qwen);
  const link = join(qwen.folder, "socks", "link.sock");
  symlinkSync(qwen.socketPath, link);
  const linked = join(qwen.folder, "linked");
  symlinkSync(join(qwen.folder, "socks"), linked);
  const open = join(qwen.folder, "open");
  mkdirSync(open);
  const shared = createServer(() => assert.fail("it is connected to")).listen(join(open, "s.sock"));
  chmodSync(open, 0o777);
  await until(stage.canWake);
  for (const fields of [
    { ipcPath: link },
    { ipcPath: join(linked, `${Number.parseInt(qwen.process, 10)}.sock`) },
    { ipcPath: join(open, "s.sock") },
    { ipcPath: join(qwen.folder, "sessions") },
    { ipcPath: "socks/relative.sock" },
    { ipcPath: `${qwen.folder}/socks/../socks/${Number.parseInt(qwen.process, 10)}.sock` },
    { ipcPath: `${qwen.socketPath}\0` },
    { ipcPath: `/tmp/${"long".repeat(40)}` },
    { ipcPath: ["__proto__"] },
    { ipcPath: "__proto__" },
    { ipcPath: undefined },
    { sessionId: "__proto__" },
    { sessionId: "another" },
    { procStart: "a-boot-id:1" },
    { procStart: null },
    { pid: 1 },
    { schemaVersion: 2 },
  ]) {
    qwen.register(fields);
    await look(stage, () => !stage.canWake());
    await stage.leave(JSON.stringify(fields));
    await settle(stage);
    await stage.messages.take(ID)?.confirm("prompt");
    qwen.register();
    await look(stage, stage.canWake);
  }
  assert.deepEqual(qwen.frames, []);
  shared.close();
});

test("[JOIN-85] a socket of another user is not spoken to", async () => {
  await using qwen = await openQwenDouble();
  const getuid = process.getuid?.bind(process);
  assert.ok(getuid);
  await using stage = await openStage(qwen);
  await until(stage.canWake);
  // What is seen from another user's server is the same as with another user's socket.
  process.getuid = () => getuid() + 1;
  try {
    await look(stage, () => !stage.canWake());
    await stage.leave("m1");
    await settle(stage);
    assert.equal(stage.isOffered("m1")(), false);
  } finally {
    process.getuid = getuid;
  }
  assert.deepEqual(qwen.frames, []);
});

test("[JOIN-82] the log has that it was offered before anything is sent, and no hook takes it then", async () => {
  await using qwen = await openQwenDouble();
  qwen.setVerdict(null);
  await using stage = await openSent(qwen);
  assert.equal(stage.message("m1")?.offered?.process, qwen.process);
  assert.equal(stage.messages.take(ID), undefined);
  // Another that is left goes by its hooks, until the first is known.
  await stage.leave("m2");
  await settle(stage);
  assert.equal(stage.canWake(), false);
  assert.match(stage.messages.take(ID)?.text ?? "", /Mind the tide/);
  assert.equal(qwen.frames.length, 1);
});

test("[JOIN-82] a server that died after it was sent, and before the receipt, does not have it read twice", async () => {
  await using qwen = await openQwenDouble();
  qwen.setMute(true);
  await using first = await openStage(qwen);
  await first.leave("m1");
  await until(() => qwen.read.length === 1);
  await first.waker[Symbol.asyncDispose]();
  assert.equal(first.isDelivered("m1")(), false);
  qwen.setMute(false);
  await using second = await openStage(qwen, { log: first.log, home: first.home });
  assert.equal(second.messages.take(ID), undefined);
  await look(second, second.isDelivered("m1"));
  assert.deepEqual([qwen.frames.length, qwen.read.length], [2, 1]);
  assert.equal(qwen.frames[0].msgId, qwen.frames[1].msgId);
});

test("[JOIN-82] a server that died before it was sent sends it when it is back, also while the session works", async () => {
  await using qwen = await openQwenDouble();
  await using first = await openStage(qwen, { process: null });
  await first.leave("m1");
  await first.tell({ type: "offer-message", messageId: "m1", process: qwen.process });
  await first.tell({ type: "change-activity", activity: "working" });
  await first.waker[Symbol.asyncDispose]();
  await using second = await openStage(qwen, { log: first.log, home: first.home });
  await look(second, second.isDelivered("m1"));
  assert.equal(qwen.read.length, 1);
});

test("[JOIN-84] without a receipt the same is sent again, and less and less often", async () => {
  await using qwen = await openQwenDouble();
  qwen.setMute(true);
  await using stage = await openSent(qwen);
  await settle(stage);
  assert.equal(qwen.frames.length, 1);
  stage.time.advance(RETRY_MS);
  await look(stage, () => qwen.frames.length === 2);
  await settle(stage);
  assert.equal(qwen.frames.length, 2);
  qwen.setMute(false);
  await look(stage, stage.isDelivered("m1"));
  assert.deepEqual([qwen.frames.length, qwen.read.length], [3, 1]);
});

test("[JOIN-84] of one that was offered to a process that is gone nobody tells more than is known", async () => {
  await using qwen = await openQwenDouble();
  qwen.setMute(true);
  await using stage = await openSent(qwen);
  await qwen.end();
  await settle(stage);
  await using next = await openQwenDouble();
  await using later = await openStage(next, { log: stage.log, home: stage.home });
  await until(later.canWake);
  await settle(later);
  assert.deepEqual(next.frames, []);
  assert.equal(later.messages.take(ID), undefined);
  assert.ok(later.isOffered("m1")());
});

for (const [verdict, isLeft] of [
  ["refused", true],
  ["expired", true],
  ["dropped", true],
  ["misaddressed", true],
  ["denied", false],
] as const) {
  test(`[JOIN-83] what is ${verdict} is sent no more; the next hook ${isLeft ? "has" : "does not have"} it`, async () => {
    await using qwen = await openQwenDouble();
    qwen.setVerdict(verdict);
    await using stage = await openStage(qwen);
    await stage.leave("m1");
    await until(() => stage.message("m1")?.turnedAway === verdict);
    await settle(stage);
    assert.equal(qwen.frames.length, 1);
    assert.equal(stage.messages.take(ID) !== undefined, isLeft);
  });
}

test("[JOIN-83] what waits for its user in the terminal waits, until that says what becomes of it", async () => {
  await using qwen = await openQwenDouble();
  qwen.setVerdict("held");
  await using stage = await openSent(qwen);
  await settle(stage);
  assert.equal(stage.messages.take(ID), undefined);
  await qwen.tell(qwen.frames[0], "denied");
  await until(() => stage.message("m1")?.turnedAway === "denied");
  assert.equal(stage.messages.take(ID), undefined);
});

test("[JOIN-83] of a message that was sent twice, a receipt that may be of one of them decides nothing", async () => {
  await using qwen = await openQwenDouble();
  qwen.setMute(true);
  await using stage = await openSent(qwen);
  await settle(stage);
  stage.time.advance(RETRY_MS);
  await look(stage, () => qwen.frames.length === 2);
  for (const status of ["dropped", "misaddressed"]) await qwen.tell(qwen.frames[1], status);
  await settle(stage);
  assert.ok(stage.isOffered("m1")());
  assert.equal(stage.messages.take(ID), undefined);
  await qwen.tell(qwen.frames[1], "delivered");
  await until(stage.isDelivered("m1"));
  await qwen.tell(qwen.frames[1], "misaddressed");
  await settle(stage);
  assert.ok(stage.isDelivered("m1")());
  // It ended, and had not read it.
  await qwen.tell(qwen.frames[1], "expired");
  await until(() => stage.message("m1")?.turnedAway === "expired");
  assert.match(stage.messages.take(ID)?.text ?? "", /Mind the tide/);
});

test("[JOIN-86] a receipt counts for the message whose token it shows, and everything else is dropped", async () => {
  await using qwen = await openQwenDouble();
  qwen.setVerdict(null);
  await using stage = await openSent(qwen);
  const [frame] = qwen.frames;
  await qwen.tell(frame, "delivered", { replyToken: "guessed" });
  await qwen.tell(frame, "delivered", { replyToken: TOKEN });
  await qwen.tell(frame, "delivered", { origMsgId: "another" });
  await qwen.tell(frame, "delivered", { origMsgId: "__proto__" });
  await qwen.tell(frame, "read by all");
  const auth = { msgV: 1, type: "auth", token: frame.replyToken };
  const receipt = {
    msgV: 2,
    type: "control",
    action: "delivery_status",
    status: "delivered",
    origMsgId: frame.msgId,
  };
  await sendLines(frame.from, [auth, receipt]);
  await sendLines(frame.from, [receipt, auth]);
  await sendLines(frame.from, [auth, "{", "null", "[]", '{"__proto__": 1}']);
  await sendLines(frame.from, ["\0".repeat(200_000)]).catch(() => undefined);
  await sendLines(
    frame.from,
    Array.from({ length: 100 }, () => auth),
  ).catch(() => undefined);
  await settle(stage);
  assert.equal(stage.isDelivered("m1")(), false);
  await qwen.tell(frame, "delivered");
  await until(stage.isDelivered("m1"));
});

for (const [kind, answer] of [
  ["hangs", () => undefined],
  ["says garbage without end", (write: (text: string) => void) => write("{".repeat(1_000_000))],
] as const) {
  test(`[JOIN-86] a session that ${kind} holds up nobody, and has its message at most once`, async () => {
    await using qwen = await openQwenDouble();
    const path = join(qwen.folder, "socks", "bad.sock");
    let came = 0;
    const bad = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on("error", () => undefined);
      socket.on("data", () => (came += 1));
      answer((text) => void socket.write(text));
    }).listen(path);
    qwen.register({ ipcPath: path });
    await using stage = await openStage(qwen);
    await until(stage.canWake);
    await stage.leave("m1");
    await until(() => came > 0);
    assert.ok(stage.isOffered("m1")());
    // Once its time is up, the next step of the session is taken.
    await look(stage, () => !stage.canWake());
    qwen.register();
    stage.time.advance(RETRY_MS);
    await look(stage, stage.isDelivered("m1"));
    assert.equal(qwen.read.length, 1);
    bad.close();
  });
}

test("[JOIN-80] [JOIN-75] a session of another node is left alone", async () => {
  await using qwen = await openQwenDouble();
  await using stage = await openStage(qwen, { node: "here" });
  await stage.leave("m1");
  await settle(stage);
  assert.deepEqual([stage.canWake(), qwen.frames.length], [false, 0]);
});

test("[JOIN-81] a socket that nobody answers at is not offered anything", async () => {
  await using qwen = await openQwenDouble();
  const path = join(qwen.folder, "socks", "old.sock");
  // As a crash leaves it behind.
  const code = `require("net").createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, "SIGKILL"))`;
  spawnSync(process.execPath, ["-e", code]);
  qwen.register({ ipcPath: path });
  await using stage = await openStage(qwen);
  await until(stage.canWake);
  await stage.leave("m1");
  await settle(stage);
  assert.equal(stage.isOffered("m1")(), false);
  assert.match(stage.messages.take(ID)?.text ?? "", /Mind the tide/);
});
