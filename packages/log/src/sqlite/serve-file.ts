/**
 * The loop of a writer's thread: owns the file, answers one request after the other.
 *
 * Everything that waits for the disk happens here, so that the event loop of the server does
 * not. The first message it sends says whether the file opened.
 */
import type { MessagePort } from "node:worker_threads";
import { LogFault, type Guard, type Snapshot } from "../log.ts";
import { Checkpointer } from "./checkpoint.ts";
import { faultOf } from "./fault.ts";
import { openLogFile, type LogFile } from "./log-file.ts";
import type { WriteRequest, Texts, WorkerReply, WorkerRequest, WriterOptions } from "./messages.ts";

/** Whoever writes the file, and knows what is in it. */
export interface FileWriter {
  readonly head: number;
  readonly filed: number;
  commit(request: WriteRequest): WorkerReply;
  saveSnapshot(name: string, snapshot: Snapshot): void;
  /** The version of the guard's stream when that keeps it from erasing. */
  erase(texts: Texts, guard: Guard | undefined): number | undefined;
}

export function serveFile(
  port: MessagePort,
  options: WriterOptions,
  createWriter: (file: LogFile) => FileWriter,
): void {
  let file: LogFile | undefined;
  try {
    file = openLogFile(options.file, options.durability);
    serve(port, file, createWriter(file));
  } catch (error) {
    file?.close(false);
    port.postMessage(toReply(faultOf(error, options.file)));
    port.close();
  }
}

function serve(port: MessagePort, file: LogFile, writer: FileWriter): void {
  // After a first accident the writer knows no more what is in the file: it only repeats it.
  let fault: LogFault | undefined;
  const checkpointer = new Checkpointer(file.db, () => guard(() => checkpointer.run()));

  port.on("message", (request: WorkerRequest) => {
    switch (request.type) {
      case "commit":
      case "apply":
        port.postMessage(guard(() => writer.commit(request)));
        // After the reply: a checkpoint that fails takes nothing back of what was committed.
        guard(() => checkpointer.afterCommit());
        return;
      case "save":
        port.postMessage(attempt(() => writer.saveSnapshot(request.name, request.snapshot)));
        guard(() => checkpointer.afterCommit());
        return;
      case "erase":
        port.postMessage(
          attempt(() => {
            const fencedAt = writer.erase(request.texts, request.guard);
            return { type: "erased", ...(fencedAt !== undefined && { fencedAt }) };
          }),
        );
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

  function attempt(work: () => WorkerReply | void): WorkerReply {
    try {
      return work() ?? { type: "done" };
    } catch (error) {
      return toReply(faultOf(error, file.path));
    }
  }
}

function toReply({ code, message }: LogFault): WorkerReply {
  return { type: "fault", code, message };
}
