/**
 * The writer's thread: owns the file, answers one request after the other.
 *
 * Everything that waits for the disk happens here, so that the event loop of the server does
 * not. Started by writer-thread.ts; the first message it sends says whether the file opened.
 */
import { parentPort, workerData, type MessagePort } from "node:worker_threads";
import { LogFault } from "../log.ts";
import { Checkpointer } from "./checkpoint.ts";
import { faultOf } from "./fault.ts";
import { openLogFile, type LogFile } from "./log-file.ts";
import type { WorkerReply, WorkerRequest, WriterOptions } from "./messages.ts";
import { Writer } from "./writer.ts";

if (parentPort === null) throw new LogFault("failed", "the writer must run in a thread of its own");
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only writer-thread.ts starts this
start(parentPort, workerData as WriterOptions);

function start(port: MessagePort, options: WriterOptions): void {
  let file: LogFile | undefined;
  try {
    file = openLogFile(options.file, options.durability);
    serve(port, file, new Writer(file.db, options.keyRetentionMs));
  } catch (error) {
    file?.close(false);
    port.postMessage(toReply(faultOf(error, options.file)));
    port.close();
  }
}

function serve(port: MessagePort, file: LogFile, writer: Writer): void {
  // After a first accident the writer knows no more what is in the file: it only repeats it.
  let fault: LogFault | undefined;
  const checkpointer = new Checkpointer(file.db, () => guard(() => checkpointer.run()));

  port.on("message", (request: WorkerRequest) => {
    switch (request.type) {
      case "commit":
        port.postMessage(
          guard(() => {
            const verdicts = writer.commit(request.batch, request.appends);
            return { type: "committed", verdicts, filed: writer.filed };
          }),
        );
        // After the reply: a checkpoint that fails takes nothing back of what was committed.
        guard(() => checkpointer.afterCommit());
        return;
      case "save":
        port.postMessage(attempt(() => writer.saveSnapshot(request.name, request.snapshot)));
        guard(() => checkpointer.afterCommit());
        return;
      case "erase":
        port.postMessage(attempt(() => writer.erase(request.texts)));
        return;
      case "close":
        checkpointer.stop();
        port.postMessage(attempt(() => file.close(fault === undefined)));
        port.close();
    }
  });
  const { path, epoch } = file;
  const { head, filed } = writer;
  port.postMessage({ type: "opened", path, epoch, head, filed } satisfies WorkerReply);

  function guard(work: () => WorkerReply | void): WorkerReply {
    if (fault !== undefined) return toReply(fault);
    try {
      return work() ?? { type: "done" };
    } catch (error) {
      fault = faultOf(error, file.path);
      return toReply(fault);
    }
  }

  function attempt(work: () => void): WorkerReply {
    try {
      work();
      return { type: "done" };
    } catch (error) {
      return toReply(faultOf(error, file.path));
    }
  }
}

function toReply({ code, message }: LogFault): WorkerReply {
  return { type: "fault", code, message };
}
