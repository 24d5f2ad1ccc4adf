/**
 * A program that appends until it dies, and prints what was acknowledged: one JSON line each,
 * after the acknowledgement and never before. Started by log-writer-process.ts.
 *
 * Each writer has a stream and numbers its appends; the number is in the key, so that the one
 * which was under way when the last process died is asked for again, not done again.
 */
import { openSqliteLog, type Log } from "@atrium/log";
import type { Line, Plan } from "./log-writer-process.ts";

const plan = JSON.parse(process.argv[2] ?? "") as Plan;
const log = await openSqliteLog({ file: plan.file });
await print({ type: "opened", epoch: log.epoch, head: log.head });
try {
  await Promise.all(Object.entries(plan.streams).map((stream) => keepWriting(log, ...stream)));
} catch {
  const fault = await log.stopped;
  await print({ type: "fault", code: fault?.code ?? "none", message: fault?.message ?? "" });
}
await log.close();

async function keepWriting(to: Log, stream: string, acknowledged: number): Promise<never> {
  const [newest] = await Array.fromAsync(to.read({ stream, backwards: true, limit: 1 }));
  let version = newest?.seq ?? 0;
  for (let n = acknowledged + 1; ; n++) {
    const count = 1 + (n % 3);
    const drafts = Array.from({ length: count }, (_, part) => ({
      type: "wrote",
      at: n,
      data: { n, part, of: count, filling: "x".repeat(plan.bytes) },
    }));
    const key = { id: `${stream}/${n}`, digest: `${count}` };
    const answer = await to.append(stream, version, drafts, { key });
    if (!answer.ok) throw new TypeError(`refused: ${answer.reason}`);
    version = answer.position.seq;
    await print({ type: "wrote", stream, n, seq: version, repeated: answer.repeated });
  }
}

/** Resolves once the line has left the process: on a busy machine the pipe fills, and what waits here dies with us. */
function print(line: Line): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(`${JSON.stringify(line)}\n`, () => resolve());
  });
}
