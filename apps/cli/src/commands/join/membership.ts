/** Joining and leaving, for one program: offline, with its settings as they were when it leaves. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { CliError } from "../../command-line/cli-error.ts";
import type { Environment } from "../../command-line/environment.ts";
import { callProgram, lastLine } from "./call-program.ts";
import type { CommandInstallation, FileInstallation, WrittenPlugin } from "./installation.ts";
import type { JoinableProgram } from "./joinable-program.ts";
import { readText, replaceFile } from "./settings-file.ts";
import {
  cleanContents,
  readContents,
  readRecord,
  removeEmptied,
  removeRecord,
  restoreContents,
  writeRecord,
  type SettingsRecord,
} from "./settings-record.ts";

export interface Membership {
  readonly home: string;
  readonly environment: Pick<Environment, "env" | "cwd">;
}

export async function joinProgram(
  program: JoinableProgram,
  plugin: WrittenPlugin,
  membership: Membership,
): Promise<void> {
  const { home, environment } = membership;
  // From the start, so that what an earlier version installed is replaced.
  await leaveProgram(program, membership);
  const folder = program.settingsFolder(environment.env);
  const before = readContents(folder, program.settingsFiles);
  const { installation } = program;
  if (installation.kind === "file") addToFile(program.title, installation, folder, plugin);
  else {
    try {
      for (const args of installation.install(plugin)) await runProgram(program, args, environment);
    } catch (cause) {
      await runRemoval(program, installation, environment);
      restoreContents({ folder, before, after: before }, before);
      throw cause;
    }
  }
  const after = readContents(folder, program.settingsFiles);
  writeRecord(home, program.id, { folder, before, after });
}

/** Whether it had joined. */
export async function leaveProgram(
  program: JoinableProgram,
  { home, environment }: Membership,
): Promise<boolean> {
  await program.waking?.forbid({ home, environment });
  const record = readRecord(home, program.id);
  if (record === undefined) return false;
  await undo(program, record, environment);
  removeRecord(home, program.id);
  return true;
}

async function undo(
  program: JoinableProgram,
  record: SettingsRecord,
  environment: Membership["environment"],
): Promise<void> {
  const { installation, settingsFiles, leftovers } = program;
  const { folder } = record;
  const current = readContents(folder, settingsFiles);
  const traces = program.findTraces?.(folder) ?? [];
  if (installation.kind === "file") removeFromFile(installation, folder);
  else await runRemoval(program, installation, environment);
  restoreContents(record, current);
  removeEmptied(record);
  if (program.withoutTraces !== undefined) cleanContents(record, program.withoutTraces);
  for (const path of [...leftovers, ...traces]) {
    rmSync(join(folder, path), { recursive: true, force: true });
  }
  if (installation.kind === "commands") checkRemoval(program, installation, folder);
}

function addToFile(
  title: string,
  { file, add, findObstacle }: FileInstallation,
  folder: string,
  plugin: WrittenPlugin,
): void {
  const obstacle = findObstacle?.(folder);
  if (obstacle !== undefined) {
    throw new CliError(`${title} has not joined: ${obstacle.says}`, { advice: obstacle.advice });
  }
  const path = join(folder, file);
  const text = add(readText(path), plugin);
  if (text === undefined) throw unreadable(path);
  replaceFile(path, text);
}

function removeFromFile({ file, remove }: FileInstallation, folder: string): void {
  const path = join(folder, file);
  const text = readText(path);
  if (text === null) return;
  const left = remove(text);
  if (left === undefined) throw unreadable(path);
  if (left === null) rmSync(path, { force: true });
  else replaceFile(path, left);
}

function unreadable(path: string): CliError {
  return new CliError(`${path} cannot be read, so it was left as it is.`, {
    advice: "Correct it, and try again.",
  });
}

/** A user may have removed some of it, or the program itself: what counts is what is left. */
async function runRemoval(
  program: JoinableProgram,
  { remove }: CommandInstallation,
  environment: Membership["environment"],
): Promise<void> {
  for (const args of remove) await runProgram(program, args, environment).catch(() => undefined);
}

function checkRemoval(
  { command, settingsFiles }: JoinableProgram,
  { mention, remove }: CommandInstallation,
  folder: string,
): void {
  const isNamed = (content: string | null): boolean =>
    content !== null && Buffer.from(content, "base64").includes(mention);
  const file = settingsFiles.find((each) =>
    isNamed(readContents(folder, [each]).get(each) ?? null),
  );
  if (file === undefined) return;
  throw new CliError(`The plugin is still named in ${join(folder, file)}.`, {
    advice: `Remove it there, or run: ${command} ${remove[0]?.join(" ")}`,
  });
}

async function runProgram(
  { title, command }: JoinableProgram,
  args: readonly string[],
  environment: Membership["environment"],
): Promise<void> {
  const { error, stdout, stderr } = await callProgram({ command, args, environment });
  if (error === null) return;
  const line = lastLine(`${stderr}\n${stdout}`);
  const why = line === "" ? error.message : line;
  const call = [command, ...args].join(" ");
  const advice = `Its settings are unchanged. To see more, run: ${call}`;
  throw new CliError(`${title} did not take the plugin: ${why}`, { advice }, error);
}
