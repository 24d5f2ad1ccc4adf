/** Joining and leaving, for one program: by its own commands, with its settings as they were when it leaves. */
import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { CliError } from "../../command-line/cli-error.ts";
import type { Environment } from "../../command-line/environment.ts";
import { PLUGIN, type JoinableProgram } from "./joinable-program.ts";
import {
  cleanContents,
  readContents,
  readRecord,
  removeRecord,
  restoreContents,
  writeRecord,
  type SettingsContents,
  type SettingsRecord,
} from "./settings-record.ts";

export interface Membership {
  readonly home: string;
  readonly environment: Pick<Environment, "env" | "cwd">;
}

const PATIENCE_MS = 60_000;

export async function joinProgram(
  program: JoinableProgram,
  marketplace: string,
  membership: Membership,
): Promise<void> {
  const { home, environment } = membership;
  // From the start, so that what an earlier version installed is replaced.
  await leaveProgram(program, membership);
  const folder = program.settingsFolder(environment.env);
  const before = readContents(folder, program.settingsFiles);
  try {
    for (const args of program.install(marketplace)) await runProgram(program, args, environment);
  } catch (cause) {
    await removePlugin(program, environment);
    restoreContents({ folder, before, after: before }, before);
    throw cause;
  }
  const after = readContents(folder, program.settingsFiles);
  writeRecord(home, program.id, { folder, before, after });
}

/** Whether it had joined. */
export async function leaveProgram(
  program: JoinableProgram,
  { home, environment }: Membership,
): Promise<boolean> {
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
  const current = readContents(record.folder, program.settingsFiles);
  await removePlugin(program, environment);
  restoreContents(record, current);
  if (program.withoutTraces !== undefined) cleanContents(record, program.withoutTraces);
  for (const path of program.leftovers) {
    rmSync(join(record.folder, path), { recursive: true, force: true });
  }
  const file = findMention(readContents(record.folder, program.settingsFiles));
  if (file === undefined) return;
  const path = join(record.folder, file);
  throw new CliError(`The plugin is still named in ${path}.`, {
    advice: `Remove it there, or run: ${program.command} ${program.remove[0]?.join(" ")}`,
  });
}

/** A user may have removed some of it, or the program itself: what counts is what is left. */
async function removePlugin(
  program: JoinableProgram,
  environment: Membership["environment"],
): Promise<void> {
  for (const args of program.remove) {
    await runProgram(program, args, environment).catch(() => undefined);
  }
}

function findMention(contents: SettingsContents): string | undefined {
  return contents.entries().find(([, content]) => isNamed(content))?.[0];
}

function isNamed(content: string | null): boolean {
  return content !== null && Buffer.from(content, "base64").includes(PLUGIN);
}

function runProgram(
  { title, command }: JoinableProgram,
  args: readonly string[],
  { env, cwd }: Membership["environment"],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { env: { ...env }, cwd, timeout: PATIENCE_MS };
    const child = execFile(command, [...args], options, (error, stdout, stderr) => {
      if (error === null) return resolve();
      const lastLine = `${stderr}\n${stdout}`.trim().split("\n").at(-1) ?? "";
      const why = lastLine === "" ? error.message : lastLine;
      const call = [command, ...args].join(" ");
      const advice = `Its settings are unchanged. To see more, run: ${call}`;
      reject(new CliError(`${title} did not take the plugin: ${why}`, { advice }, error));
    });
    child.stdin?.end();
  });
}
