/** Which version of a program is there; or what is wrong with it, in a sentence of ours. */
import { fieldsOf, parseFields, textIn } from "../../turn/json-fields.ts";
import type { ProbeAnswer } from "../probes/probe-cache.ts";
import type { AskProgram, ProbeOutcome } from "../probes/probe-program.ts";
import { installOf, type ProgramRow } from "./program-table.ts";

export type ProgramVersion =
  | { readonly ok: true; readonly version: string }
  | { readonly ok: false; readonly problem: string };

/** A program behind a wrapper is renewed without the wrapper being another file. */
const VERSION_HOLDS_MS = 60 * 60_000;
/** People repair what is broken while they look. */
const PROBLEM_HOLDS_MS = 60_000;

const HELLO = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: 1, clientCapabilities: {} },
};

export async function probeVersion(
  row: ProgramRow,
  path: string,
  ask: AskProgram,
): Promise<ProbeAnswer<ProgramVersion>> {
  const outcome = await ask(
    row.version === undefined
      ? { command: [path], input: `${JSON.stringify(HELLO)}\n`, isOneLine: true }
      : { command: [path, ...row.version] },
  );
  const version = versionIn(row, outcome);
  if (version !== undefined) return { value: { ok: true, version }, holdsMs: VERSION_HOLDS_MS };
  const problem = describeProblem(row, path, outcome);
  return { value: { ok: false, problem }, holdsMs: PROBLEM_HOLDS_MS };
}

const VERSION = /\d{1,6}\.\d{1,6}\.\d{1,9}/;

function versionIn({ version }: ProgramRow, outcome: ProbeOutcome): string | undefined {
  if (outcome.how !== "ended" || outcome.code !== 0) return undefined;
  if (version !== undefined) return VERSION.exec(outcome.output)?.[0];
  const [line = ""] = outcome.output.split("\n");
  const { result } = parseFields(line) ?? {};
  const { agentInfo } = fieldsOf(result);
  return VERSION.exec(textIn(fieldsOf(agentInfo), "version") ?? "")?.[0];
}

function describeProblem(row: ProgramRow, path: string, outcome: ProbeOutcome): string {
  const question = [row.id, ...(row.version ?? [])].join(" ");
  const look = `run ${question} in a terminal to see why, or ${installOf(row)}`;
  switch (outcome.how) {
    case "unstarted":
      return `${path} cannot be started: ${look}.`;
    case "late":
      return `${question} did not answer within ${outcome.afterMs / 1_000} s: ${look}.`;
    case "killed":
      return `${question} was ended by ${outcome.signal}: ${look}.`;
    case "flooded":
      return `${question} printed too much: check that ${path} is ${row.name}, or ${look}.`;
    case "ended":
      return outcome.code === 0
        ? `${question} told no version: check that ${path} is ${row.name}, or ${look}.`
        : `${question} ended with exit code ${outcome.code}: ${look}.`;
  }
}

/** Compared number by number. */
export function isOlder(version: string, oldest: string): boolean {
  const wanted = oldest.split(".").map(Number);
  for (const [at, number] of version.split(".").map(Number).entries()) {
    const least = wanted[at] ?? 0;
    if (number !== least) return number < least;
  }
  return false;
}
