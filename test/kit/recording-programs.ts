/** Programs that read what they are given and note that they were started, for a PATH in front of the real ones. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface RecordingPrograms {
  /** The stand-ins first. */
  readonly path: string;
  /** What was started, with its words. */
  readonly started: () => Promise<readonly string[]>;
}

export async function recordingPrograms(
  folder: string,
  names: readonly string[],
): Promise<RecordingPrograms> {
  const places = join(folder, "recording");
  const record = join(folder, "started");
  await mkdir(places, { recursive: true });
  await writeFile(record, "");
  for (const name of names) {
    const lines = ["#!/bin/sh", `echo "${name} $*" >> '${record}'`, "exec /bin/cat > /dev/null"];
    await writeFile(join(places, name), `${lines.join("\n")}\n`, { mode: 0o755 });
  }
  return {
    path: `${places}:${process.env["PATH"] ?? ""}`,
    started: async () => (await readFile(record, "utf8")).split("\n").filter((line) => line !== ""),
  };
}
