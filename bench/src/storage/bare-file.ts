/** The limit: lines in a file, each batch one write and one fdatasync. */
import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import type { Draft } from "@atrium/log";

export interface BareFile extends Disposable {
  readonly append: (rows: readonly Draft[]) => void;
}

export function openBareFile(file: string): BareFile {
  const descriptor = openSync(file, "a");
  return {
    append(rows) {
      writeSync(descriptor, rows.map((row) => `${JSON.stringify(row.data)}\n`).join(""));
      fdatasyncSync(descriptor);
    },
    [Symbol.dispose]: () => closeSync(descriptor),
  };
}
