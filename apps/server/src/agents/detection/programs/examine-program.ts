/**
 * One row of the table, looked at:
 *
 *   locate -> version -> login -> ready
 *     \          \          \
 *      missing    broken,    login-needed, login-unknown
 *                 too-old
 *
 * Whatever goes wrong is said in one sentence of ours. Of what the program prints, only its version and known words for
 * its login are kept.
 */
import type { FindingState, ProgramFinding } from "../probes/finding.ts";
import type { ProbeCache } from "../probes/probe-cache.ts";
import type { AskProgram } from "../probes/probe-program.ts";
import { locateProgram } from "./locate-program.ts";
import { probeLogin, readKept } from "./probe-login.ts";
import { isOlder, probeVersion } from "./probe-version.ts";
import type { ProgramLogin } from "./program-login.ts";
import { installOf, variablesOf, type ProgramRow } from "./program-table.ts";

export interface ExaminationDeps {
  readonly readEnv: (name: string) => string | undefined;
  /** Whether a key of that name is kept with the server. */
  readonly isKept: (name: string) => boolean;
  readonly cache: ProbeCache;
  /** Starts the row's program. */
  readonly ask: AskProgram;
  /** What is known is asked again. */
  readonly isFresh: boolean;
}

export async function examineProgram(
  row: ProgramRow,
  { readEnv, isKept, cache, ask, isFresh }: ExaminationDeps,
): Promise<ProgramFinding> {
  const { id, name, oldest } = row;
  const install = installOf(row);
  const isSet = (variable: string): boolean => (readEnv(variable) ?? "") !== "";
  const more = await readNamed(row, readEnv);
  const variables = variablesOf(row, more, (variable) => isSet(variable) || isKept(variable));
  const runtime = row.runtime?.(variables);
  const keys = row.variables.keys ?? [];
  const described = { id, name, variables, keys, install, ...(runtime && { runtime }) };
  const finding = (
    state: FindingState,
    message: string,
    found: Pick<ProgramFinding, "path" | "version"> = {},
  ): ProgramFinding => ({ ...described, ...found, state, message });

  const located = await locateProgram(id, readEnv("PATH") ?? "");
  if (located === undefined) return finding("missing", `Not installed: run ${install}.`);
  const { path, identity } = located;
  if (!located.isRunnable) {
    const message = `${path} is not executable: run chmod +x on it, or ${install}.`;
    return finding("broken", message, { path });
  }
  const askVersion = () => probeVersion(row, path, ask);
  const answer = await cache.read(`${id} version`, identity, askVersion, isFresh);
  if (!answer.ok) return finding("broken", answer.problem, { path });
  const { version } = answer;
  if (oldest !== undefined && isOlder(version, oldest)) {
    const message = `Version ${version} is too old: run ${install}@latest to get ${oldest} or newer.`;
    return finding("too-old", message, { path, version });
  }
  const key = keys.find((each) => variables.includes(each));
  if (key !== undefined) {
    const place = isSet(key) ? "of the server's environment" : "that is kept with the server";
    return finding("ready", `Ready, with ${key} ${place}.`, { path, version });
  }
  const cloud = row.variables.clouds?.find(isSet);
  if (cloud !== undefined) {
    const message = `${cloud} is set: its first turn shows whether the credentials of that cloud are good.`;
    return finding("login-unknown", message, { path, version });
  }
  const askLogin = () => probeLogin(row, path, ask, readEnv);
  const login = await cache.read(`${id} login`, identity, askLogin, isFresh);
  return finding(STATES[login.state], describeLogin(row, login), { path, version });
}

/** Nothing where there is no such file, or none that can be read. */
async function readNamed(
  { variables: { named } }: ProgramRow,
  readEnv: ExaminationDeps["readEnv"],
): Promise<readonly string[]> {
  return named === undefined ? [] : named.read((await readKept(named.file, readEnv)) ?? "");
}

const STATES = { in: "ready", out: "login-needed", unknown: "login-unknown" } as const;

function describeLogin({ login: { by }, variables }: ProgramRow, login: ProgramLogin): string {
  const [key] = variables.keys ?? [];
  const orKey = key === undefined ? "" : `, or give it a key (${key})`;
  switch (login.state) {
    case "in":
      return login.by === undefined ? "Ready: logged in." : `Ready: logged in with ${login.by}.`;
    case "out":
      return `Not logged in: run ${by} in a terminal and log in${orKey}.`;
    case "unknown":
      return `Its first turn shows whether it is logged in; if it is not, run ${by} in a terminal${orKey}.`;
  }
}
