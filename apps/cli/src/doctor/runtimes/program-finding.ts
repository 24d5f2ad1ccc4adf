/** Runtimes that are programs on this machine: found, runnable, in a folder that is there, and who they say they are. */
import { resolve } from "node:path";
import { own } from "@atrium/wire";
import { isRecord } from "../../server/settings.ts";
import { shortPath } from "../../terminal/measures.ts";
import { broken, note, ok, type Finding } from "../finding.ts";
import { findProgram, readFirstLine, isFolder, type ProgramOutput } from "./program.ts";
import type { CheckedRuntime } from "./runtime-findings.ts";

const TIMEOUT_MS = 10_000;
const MIN_SECRET_CHARACTERS = 16;
const HELLO = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: 1, clientCapabilities: {} },
};

/** Not run here: without a turn it might do anything. */
export function commandFinding(runtime: CheckedRuntime): Finding {
  const place = placeOf(runtime, wordsOf(runtime.settings["command"]));
  return "path" in place ? ok(runtime.about, shortPath(place.path)) : place;
}

export async function claudeFinding(runtime: CheckedRuntime): Promise<Finding> {
  if (runtime.settings["transport"] === "bridge") return bridgeFinding(runtime);
  return versionFinding(runtime, "claude");
}

export function codexFinding(runtime: CheckedRuntime): Promise<Finding> {
  return versionFinding(runtime, "codex");
}

async function versionFinding(runtime: CheckedRuntime, usual: string): Promise<Finding> {
  const { about, settings } = runtime;
  const { command = usual } = settings;
  const place = placeOf(runtime, [String(command)]);
  if (!("path" in place)) return place;
  const output = await runProgram(runtime, [place.path, "--version"], "");
  if (output.line !== undefined) return ok(about, `${shortPath(place.path)}, ${output.line}`);
  return broken(
    about,
    `${shortPath(place.path)} --version failed: ${troubleOf(output)}`,
    `Run it yourself: ${place.path} --version`,
  );
}

/** Any program may be on the bridge, so it is not run; one that someone else starts needs a secret. */
function bridgeFinding(runtime: CheckedRuntime): Finding {
  const { about, settings, env, isServerRunning } = runtime;
  const { command, tokenEnv } = settings;
  if (typeof command === "string") {
    const place = placeOf(runtime, [command]);
    return "path" in place ? ok(about, `${shortPath(place.path)}, over the bridge`) : place;
  }
  const name = typeof tokenEnv === "string" ? tokenEnv : "tokenEnv";
  if ((own(env, name) ?? "").length >= MIN_SECRET_CHARACTERS) {
    return ok(about, `for a program that you start, with the secret in ${name}`);
  }
  const isElsewhere = isServerRunning && own(env, name) === undefined;
  return (isElsewhere ? note : broken)(
    about,
    `${name} does not hold a secret of at least ${MIN_SECRET_CHARACTERS} characters`,
    `export ${name}="$(openssl rand -hex 32)" before you start the server, and pass it to the program.`,
  );
}

export async function acpFinding(runtime: CheckedRuntime): Promise<Finding> {
  const { about, settings } = runtime;
  const command = wordsOf(settings["command"]);
  const place = placeOf(runtime, command);
  if (!("path" in place)) return place;
  const shown = shortPath(place.path);
  const output = await runProgram(runtime, command, `${JSON.stringify(HELLO)}\n`);
  if (output.isLate) {
    const message = `${shown} started but did not answer within ${TIMEOUT_MS / 1_000} s`;
    return note(
      about,
      message,
      "Check that it speaks ACP. A program that is downloaded first takes longer once.",
    );
  }
  const answer = readAnswer(output.line);
  if (answer === undefined) {
    const message = `${shown} does not speak ACP: ${output.line ?? troubleOf(output)}`;
    return broken(about, message, "Run the command from the settings yourself.");
  }
  return ok(about, `${shown}, ${answer}`);
}

function placeOf(
  { about, settings, env, cwd }: CheckedRuntime,
  [program = ""]: readonly string[],
): { readonly path: string } | Finding {
  const folder = folderOf(settings, cwd);
  if (!isFolder(folder)) {
    return broken(about, `folder not found: ${folder}`, `Run mkdir -p ${folder}, or change cwd.`);
  }
  const found = findProgram(program, folder, env);
  if (found === undefined) {
    const advice = program.includes("/")
      ? "Put the program there, or change command."
      : "Install it, or set command to its full path.";
    return broken(about, `program not found: ${program}`, advice);
  }
  if (found !== "blocked") return found;
  return broken(about, `${program} is not executable`, `chmod +x ${resolve(folder, program)}`);
}

function runProgram(
  { settings, env, cwd }: CheckedRuntime,
  command: readonly string[],
  input: string,
): Promise<ProgramOutput> {
  const where = { cwd: folderOf(settings, cwd), env, names: wordsOf(settings["env"]) };
  return readFirstLine(command, input, where, TIMEOUT_MS);
}

function folderOf({ cwd: folder }: CheckedRuntime["settings"], cwd: string): string {
  return typeof folder === "string" ? resolve(cwd, folder) : cwd;
}

/** Who answered, or undefined when that is no answer. */
function readAnswer(line: string | undefined): string | undefined {
  try {
    const reply: unknown = JSON.parse(line ?? "");
    const result = isRecord(reply) ? reply["result"] : undefined;
    if (!isRecord(result)) return undefined;
    const protocol = `ACP ${String(result["protocolVersion"])}`;
    const agent = result["agentInfo"];
    if (!isRecord(agent) || typeof agent["name"] !== "string") return protocol;
    const version = typeof agent["version"] === "string" ? ` ${agent["version"]}` : "";
    return `${agent["name"]}${version}, ${protocol}`;
  } catch {
    return undefined;
  }
}

function troubleOf({ complaint, code, isLate }: ProgramOutput): string {
  if (isLate) return `no answer within ${TIMEOUT_MS / 1_000} s`;
  const end = code === null ? "it could not start" : `it exited with ${code}`;
  return complaint === "" ? end : `${end}: ${complaint}`;
}

function wordsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((word: unknown) => typeof word === "string");
}
