/**
 * What each run has seen of the files it works on. A file that has changed since is not written over:
 * whoever changed it would lose that. Of runs that are long over nothing is kept.
 */
import { createHash } from "node:crypto";
import { BoundedMap } from "@atrium/core";

const MAX_RUNS = 200;
const MAX_FILES = 5_000;

export interface FileViews {
  /** The run knows the file as it is. */
  note(runId: string, path: string, bytes: Uint8Array): void;
  /** `never`: the run has not seen it; `changed`: it is not as the run has seen it. */
  compare(runId: string, path: string, bytes: Uint8Array): "same" | "changed" | "never";
}

export function createFileViews(): FileViews {
  const runs = new BoundedMap<string, BoundedMap<string, string>>(MAX_RUNS);
  return {
    note(runId, path, bytes) {
      const files = runs.get(runId) ?? new BoundedMap<string, string>(MAX_FILES);
      files.setNewest(path, digestOf(bytes));
      runs.setNewest(runId, files);
    },
    compare(runId, path, bytes) {
      const seen = runs.get(runId)?.get(path);
      if (seen === undefined) return "never";
      return seen === digestOf(bytes) ? "same" : "changed";
    },
  };
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha1").update(bytes).digest("base64");
}
