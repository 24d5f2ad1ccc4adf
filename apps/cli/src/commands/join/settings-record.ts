/**
 * What a program's settings were before and after it joined, kept in the home. Leaving puts the first back where nobody
 * has changed them since; where somebody has, the program's own removal stands.
 */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isRecord } from "../../server/settings.ts";
import { withoutEmptied } from "./emptied-members.ts";
import { readBytes, readText, replaceFile } from "./settings-file.ts";

/** Contents in base64, by their path from the settings folder; null: there is no such file. */
export type SettingsContents = ReadonlyMap<string, string | null>;

export interface SettingsRecord {
  readonly folder: string;
  readonly before: SettingsContents;
  readonly after: SettingsContents;
}

const recordFile = (home: string, program: string): string =>
  join(home, "joined", `${program}.json`);

export function readContents(folder: string, files: readonly string[]): SettingsContents {
  return new Map(
    files.map((file): [string, string | null] => [
      file,
      readBytes(join(folder, file))?.toString("base64") ?? null,
    ]),
  );
}

export function writeRecord(home: string, program: string, record: SettingsRecord): void {
  const file = recordFile(home, program);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const { folder, before, after } = record;
  const written = {
    folder,
    before: Object.fromEntries(before),
    after: Object.fromEntries(after),
  };
  writeFileSync(file, `${JSON.stringify(written)}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
}

export function readRecord(home: string, program: string): SettingsRecord | undefined {
  const packed = readText(recordFile(home, program));
  if (packed === null) return undefined;
  const value: unknown = JSON.parse(packed);
  if (!isRecord(value) || typeof value["folder"] !== "string") return undefined;
  const { folder, before, after } = value;
  return { folder, before: contentsIn(before), after: contentsIn(after) };
}

export function removeRecord(home: string, program: string): void {
  rmSync(recordFile(home, program), { force: true });
}

/** `current`: as they were just before the program removed its part. */
export function restoreContents(record: SettingsRecord, current: SettingsContents): void {
  const { folder, before, after } = record;
  for (const [file, content] of before) {
    if (current.get(file) !== after.get(file)) continue;
    const path = join(folder, file);
    if (content === null) rmSync(path, { force: true });
    else replaceFile(path, Buffer.from(content, "base64"));
  }
}

/** Takes out of each file what a program has left there; one that then is as it was, but for empty lines, is put back. */
export function cleanContents(
  { folder, before }: SettingsRecord,
  clean: (content: string) => string,
): void {
  for (const [file, content] of readContents(folder, [...before.keys()])) {
    if (content === null) continue;
    const text = textOf(content);
    const first = before.get(file);
    const cleaned = clean(text);
    const isAsBefore = typeof first === "string" && isSameButBlank(cleaned, textOf(first));
    const wanted = isAsBefore ? textOf(first) : cleaned;
    if (wanted !== text) writeFileSync(join(folder, file), wanted);
  }
}

/** Takes out of each file what joining added there and leaving has emptied. */
export function removeEmptied({ folder, before, after }: SettingsRecord): void {
  for (const [file, content] of readContents(folder, [...before.keys()])) {
    if (content === null) continue;
    const text = textOf(content);
    const [first, joined] = [before, after].map((contents) => {
      const known = contents.get(file);
      return typeof known === "string" ? textOf(known) : null;
    });
    const wanted = withoutEmptied(text, first ?? null, joined ?? null);
    if (wanted !== text) replaceFile(join(folder, file), wanted);
  }
}

const textOf = (content: string): string => Buffer.from(content, "base64").toString("utf8");

function isSameButBlank(one: string, other: string): boolean {
  return withoutBlankLines(one) === withoutBlankLines(other);
}

function withoutBlankLines(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.join("\n");
}

function contentsIn(value: unknown): SettingsContents {
  const members = isRecord(value) ? Object.entries(value) : [];
  return new Map(
    members.flatMap(([file, content]): [string, string | null][] =>
      typeof content === "string" || content === null ? [[file, content]] : [],
    ),
  );
}
