/** MCP servers of the settings: the program exists, the address is one, the variables are set. None is started. */
import { own } from "@atrium/wire";
import { isRecord, nonEmpty } from "../../server/settings.ts";
import { shortPath } from "../../terminal/measures.ts";
import { broken, note, ok, type Finding } from "../finding.ts";
import { findProgram } from "./program.ts";
import type { CheckedRuntime } from "./runtime-findings.ts";
import { shownUrl } from "./shown-url.ts";

type Place = Pick<CheckedRuntime, "env" | "cwd" | "isServerRunning">;

/** `whose`: how the line of the runtime or agent begins. */
export function mcpFindings(whose: string, servers: unknown, place: Place): readonly Finding[] {
  if (!isRecord(servers)) return [];
  return Object.entries(servers).map(([name, server]) =>
    examine(`${whose}, MCP server ${name}`, isRecord(server) ? server : {}, place),
  );
}

function examine(
  about: string,
  server: Readonly<Record<string, unknown>>,
  { env, cwd, isServerRunning }: Place,
): Finding {
  const missing = variablesOf(server).find((name) => nonEmpty(own(env, name)) === undefined);
  if (missing !== undefined) {
    const message = `the variable ${missing} is not set`;
    return isServerRunning
      ? note(
          about,
          `${message} here; the running server may have it`,
          `To check it, set ${missing}.`,
        )
      : broken(about, message, `Set it before you start the server: ${missing}=… atrium up`);
  }
  const { command, url } = server;
  if (typeof url === "string") {
    return URL.canParse(url)
      ? ok(about, shownUrl(url))
      : broken(about, "url is invalid", "Set it, for example: http://127.0.0.1:8000/mcp");
  }
  const program = String(command);
  const found = findProgram(program, cwd, env);
  if (found === undefined || found === "blocked") {
    const why = found === undefined ? "program not found" : "not executable";
    return broken(about, `${why}: ${program}`, "Install it, or set command to its full path.");
  }
  return ok(about, shortPath(found.path));
}

function variablesOf({ env, headersEnv }: Readonly<Record<string, unknown>>): readonly string[] {
  const listed: readonly unknown[] = Array.isArray(env) ? env : [];
  const headers = isRecord(headersEnv) ? Object.values(headersEnv) : [];
  return [...listed, ...headers].filter((name) => typeof name === "string");
}
