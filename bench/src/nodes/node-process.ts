/** A node that writes, in a process of its own: `node-process.ts OPTIONS`, commands and answers over its channel. */
import { openNatsLog } from "@atrium/log/nats";
import { DeliverPolicy, jetstream } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import type { NodeCommand, NodeOptions, WriteSample } from "./node-commands.ts";

/** Near 300 bytes as JSON. */
const DATA = {
  messageId: "40217459-0179-4979-bfc8-000000000000",
  text: "What was said, at about the length of a short paragraph. ".repeat(4).trim(),
  label: null,
};
const PING = "ping";

interface Writer {
  /** Resolves once it is durable; a ping carries the time at which it left. */
  write(writer: number, sentAt?: number): Promise<void>;
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
  return {
    async write(writer, sentAt) {
      const target = sentAt === undefined ? `${name}/${writer}` : PING;
      const data = sentAt === undefined ? DATA : { ...DATA, sentAt };
      for (;;) {
        const written = await log.append(target, "any", [{ type: "said", at: Date.now(), data }]);
        if (written.ok) return;
        if (written.reason !== "busy") throw new Error(`the log refused: ${written.reason}`);
      }
    },
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
  return {
    async write(writer, sentAt) {
      const target = sentAt === undefined ? `${subject}.${name}.${writer}` : `${subject}.${PING}`;
      const data = sentAt === undefined ? DATA : { ...DATA, sentAt };
      await client.publish(target, JSON.stringify(data), { timeout: 10_000 });
    },
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

async function writeFor(writer: Writer, writers: number, forMs: number): Promise<WriteSample> {
  const until = performance.now() + forMs;
  const millis: number[] = [];
  const work = async (_: unknown, index: number): Promise<void> => {
    while (performance.now() < until) {
      const began = performance.now();
      await writer.write(index);
      millis.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: writers }, work));
  return { rows: millis.length, millis: millis.toSorted((a, b) => a - b) };
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only log-node.ts starts this
const options = JSON.parse(process.argv[2] ?? "") as NodeOptions;
const writer = await (options.kind === "log" ? openLogWriter(options) : openRawWriter(options));

async function obey(command: NodeCommand): Promise<unknown> {
  switch (command.do) {
    case "write":
      return writeFor(writer, command.writers, command.forMs);
    case "ping": {
      const millis: number[] = [];
      for (let n = 0; n < command.count; n++) {
        const began = performance.now();
        await writer.write(0, now());
        millis.push(performance.now() - began);
      }
      return { rows: millis.length, millis: millis.toSorted((a, b) => a - b) };
    }
    case "delays":
      return { delays: delays.splice(0).toSorted((a, b) => a - b) };
  }
}

process.on("message", (command: NodeCommand) => {
  void obey(command).then((answer) => process.send?.(answer));
});
process.on("disconnect", () => process.exit(0));
process.send?.({ ready: true });
