/** The thread of a log's writer. Started by writer-thread.ts. */
import { parentPort, workerData } from "node:worker_threads";
import { LogFault } from "../log.ts";
import type { WriterOptions } from "./messages.ts";
import { serveFile } from "./serve-file.ts";
import { Writer } from "./writer.ts";

if (parentPort === null) throw new LogFault("failed", "the writer must run in a thread of its own");
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only writer-thread.ts starts this
const options = workerData as WriterOptions;
serveFile(parentPort, options, ({ db }) => new Writer(db, options.keyRetentionMs));
