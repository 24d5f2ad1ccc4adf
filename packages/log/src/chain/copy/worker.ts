/** The thread of a copy's writer. Started by sqlite-copy.ts. */
import { parentPort, workerData } from "node:worker_threads";
import { LogFault } from "../../log.ts";
import type { WriterOptions } from "../../sqlite/messages.ts";
import { serveFile } from "../../sqlite/serve-file.ts";
import { CopyWriter } from "./copy-writer.ts";

if (parentPort === null) throw new LogFault("failed", "the writer must run in a thread of its own");
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only sqlite-copy.ts starts this
serveFile(parentPort, workerData as WriterOptions, ({ db }) => new CopyWriter(db));
