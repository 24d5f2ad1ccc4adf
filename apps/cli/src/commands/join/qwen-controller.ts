/**
 * Lets Atrium wake idle sessions of Qwen Code, with a token that the program makes for one controller and takes back: by
 * its own commands, and with its list of controllers as it was. The token is kept in the home, for the server alone.
 */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { own, parseJson } from "@atrium/wire";
import { CliError } from "../../command-line/cli-error.ts";
import type { Environment } from "../../command-line/environment.ts";
import { isRecord } from "../../server/settings.ts";
import { callProgram, lastLine } from "./call-program.ts";
import { readBytes, readText, replaceFile } from "./settings-file.ts";

export interface WakingPlace {
  /** Of Atrium. */
  readonly home: string;
  readonly environment: Pick<Environment, "env" | "cwd">;
}

/** What is kept: contents in base64, null where there was no list. */
interface KeptController {
  /** Of the program's files. */
  readonly folder: string;
  readonly id: string;
  readonly token: string;
  readonly before: string | null;
  readonly after: string | null;
}

const COMMAND = "qwen";
const CONTROLLERS = ["sessions", "controllers"];
const LABEL = "Atrium";
const LIST = "peer-controllers.json";
const TOKEN = /^qpc_[0-9a-f]{64}$/;
const ID = /^c_[0-9a-f]{8}$/;
const ANY_TOKEN = /qpc_\w+/g;

/** `folder`: of the program's files. */
export async function addController(
  folder: string,
  { home, environment }: WakingPlace,
): Promise<void> {
  const list = join(folder, LIST);
  const before = readBytes(list);
  const args = [...CONTROLLERS, "add", "--label", LABEL, "--json"];
  const { error, stdout, stderr } = await callProgram({ command: COMMAND, args, environment });
  const made = parse(stdout);
  const [id, token] = [textIn(made, "id"), textIn(made, "token")];
  if (error !== null || !ID.test(id) || !TOKEN.test(token)) {
    putBack(list, before);
    // What it printed may have the token in it.
    const line = lastLine(stderr).replaceAll(ANY_TOKEN, "[key]");
    const why = line === "" ? "it did not make a controller" : line;
    throw new CliError(`Qwen Code has joined, but its sessions cannot be woken: ${why}`, {
      advice: `To see its controllers, run: ${COMMAND} ${CONTROLLERS.join(" ")} list`,
    });
  }
  const kept = { folder, id, token, before: packed(before), after: packed(readBytes(list)) };
  writeKept(home, kept);
}

/** Nothing happens where there is none. */
export async function removeController({ home, environment }: WakingPlace): Promise<void> {
  const kept = readKept(home);
  if (kept === undefined) return;
  const { id } = kept;
  if (!ID.test(id)) return rmSync(keptFile(home), { force: true });
  const list = join(kept.folder, LIST);
  const current = packed(readBytes(list));
  // Its user may have removed it: what counts is what is left.
  const args = [...CONTROLLERS, "remove", id];
  await callProgram({ command: COMMAND, args, environment });
  const wasEmpty = kept.before === null && isEmptyList(readText(list));
  if (current === kept.after || wasEmpty) putBack(list, unpacked(kept.before));
  if (readText(list)?.includes(id) === true) {
    throw new CliError(`Atrium is still a controller in ${list}.`, {
      advice: `Run: ${[COMMAND, ...args].join(" ")}`,
    });
  }
  rmSync(keptFile(home), { force: true });
}

/** As it was; null: there was none. */
function putBack(list: string, content: Buffer | null): void {
  if (content === null) rmSync(list, { force: true });
  else replaceFile(list, content);
}

function isEmptyList(text: string | null): boolean {
  const { controllers } = parse(text ?? "");
  return Array.isArray(controllers) && controllers.length === 0;
}

const keptFile = (home: string): string => join(home, "joined", "qwen-controller.json");

function writeKept(home: string, kept: KeptController): void {
  const file = keptFile(home);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${JSON.stringify(kept)}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
}

function readKept(home: string): KeptController | undefined {
  const text = readText(keptFile(home));
  if (text === null) return undefined;
  const fields = parse(text);
  const content = (name: string): string | null => textIn(fields, name) || null;
  return {
    folder: textIn(fields, "folder"),
    id: textIn(fields, "id"),
    token: textIn(fields, "token"),
    before: content("before"),
    after: content("after"),
  };
}

const packed = (content: Buffer | null): string | null => content?.toString("base64") ?? null;

function unpacked(content: string | null): Buffer | null {
  return content === null ? null : Buffer.from(content, "base64");
}

function textIn(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = own(fields, name);
  return typeof value === "string" ? value : "";
}

function parse(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text);
  return isRecord(value) ? value : {};
}
