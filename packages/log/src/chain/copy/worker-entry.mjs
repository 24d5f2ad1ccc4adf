/* oxlint-disable atrium/no-name-lookup -- plain JavaScript for the reason below, and it looks nothing up */
/** Starts worker.ts with the compile cache of the thread that started this one, as the log's own thread does. */
import { enableCompileCache } from "node:module";
import { workerData } from "node:worker_threads";

if (workerData.compileCache !== undefined) enableCompileCache(workerData.compileCache);
await import("./worker.ts");
