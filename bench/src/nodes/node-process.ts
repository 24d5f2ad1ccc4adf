/** A node that writes, in a process of its own: `node-process.ts OPTIONS`, commands and answers over its channel. */
import { openNatsLog } from "@atrium/log/nats";
import { DeliverPolicy, jetstream } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import type { NodeCommand, NodeOptions, WriteLoad, WriteSample } from "./node-commands.ts";

/** Near 300 bytes as JSON. */
const DATA = {
  messageId: "40217459-0179-4979-bfc8-000000000000",
  text: "What was said, at about the length of a short paragraph. ".repeat(4).trim(),
  label: null,
};
const PING = "ping";

interface Writer {
  /** Resolves once they are durable. */
  write(writer: number, rows: number): Promise<void>;
  /** The same with the time at which it leaves. */
  ping(): Promise<void>;
}

const delays: number[] = [];

/** The same clock in every process of this machine. */
function now(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}

async function openLogWriter(options: NodeOptions): Promise<Writer> {
  const { name, servers, monitors, stream, copyFile } = options;
  const node = { id: name, life: `${name}-${process.pid}` };
  const log = await openNatsLog({ servers, monitors, stream, copyFile, node, isUnsafe: false });
  void follow();
  const append = async (target: string, data: object): Promise<void> => {
    for (;;) {
      const written = await log.append(target, "any", [{ type: "said", at: Date.now(), data }]);
      if (written.ok) return;
      if (written.reason !== "busy") throw new Error(`the log refused: ${written.reason}`);
    }
  };
  return {
    write: (index) => append(`${name}/${index}`, DATA),
    ping: () => append(PING, { ...DATA, sentAt: now() }),
  };

  async function follow(): Promise<void> {
    for await (const entries of log.tail(log.head)) {
      for (const { stream: from, data } of entries) if (from === PING) note(data);
    }
  }
}

async function openRawWriter({ name, servers, stream }: NodeOptions): Promise<Writer> {
  const connection = await connect({ servers: [...servers], name });
  const client = jetstream(connection);
  const subject = `raw.${stream}`;
  const manager = await client.jetstreamManager();
  const settings = { name: stream, subjects: [`${subject}.>`], num_replicas: 3 };
  await manager.streams.add(settings).catch(() => manager.streams.info(stream));
  const consumer = await client.consumers.get(stream, { deliver_policy: DeliverPolicy.New });
  const messages = await consumer.consume();
  void follow();
  const publish = async (target: string, data: object): Promise<void> => {
    await client.publish(`${subject}.${target}`, JSON.stringify(data), { timeout: 10_000 });
  };
  return {
    write: (index, rows) =>
      publish(`${name}.${index}`, rows === 1 ? DATA : Array.from({ length: rows }, () => DATA)),
    ping: () => publish(PING, { ...DATA, sentAt: now() }),
  };

  async function follow(): Promise<void> {
    for await (const message of messages) {
      if (message.subject === `${subject}.${PING}`) note(message.json());
    }
  }
}

function note(data: unknown): void {
  if (typeof data !== "object" || data === null || !("sentAt" in data)) return;
  delays.push(now() - Number(data.sentAt));
}

async function writeFor({ writers, forMs, rowsPerMessage }: WriteLoad): Promise<WriteSample> {
  const until = performance.now() + forMs;
  const millis: number[] = [];
  const work = async (_: unknown, index: number): Promise<void> => {
    while (performance.now() < until) {
      millis.push(await timed(() => writer.write(index, rowsPerMessage)));
    }
  };
  await Promise.all(Array.from({ length: writers }, work));
  return { rows: millis.length * rowsPerMessage, millis: millis.toSorted((a, b) => a - b) };
}

async function pingFor(count: number): Promise<WriteSample> {
  const millis: number[] = [];
  for (let n = 0; n < count; n++) millis.push(await timed(() => writer.ping()));
  return { rows: count, millis: millis.toSorted((a, b) => a - b) };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only bench-node.ts starts this
const options = JSON.parse(process.argv[2] ?? "") as NodeOptions;
const writer = await (options.kind === "log" ? openLogWriter(options) : openRawWriter(options));

async function obey(command: NodeCommand): Promise<unknown> {
  switch (command.do) {
    case "write":
      return writeFor(command);
    case "ping":
      return pingFor(command.count);
    case "delays":
      return { delays: delays.splice(0).toSorted((a, b) => a - b) };
  }
}

process.on("message", (command: NodeCommand) => {
  void obey(command).then((answer) => process.send?.(answer));
});
process.on("disconnect", () => process.exit(0));
process.send?.({ ready: true });
