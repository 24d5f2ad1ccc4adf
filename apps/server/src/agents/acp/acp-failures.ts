/** What can be wrong with an ACP agent, each in a sentence that says what to do. */
import type { RequestError } from "@agentclientprotocol/sdk";
import { describeEnd, type ChildEnd } from "../../confinement/program/child.ts";
import { AgentGone } from "../process/agent-gone.ts";
import { describeShownLogin, isAboutLogin, type ShownLogin } from "../process/home/shown-login.ts";
import type { TurnEvent } from "../turn/agent-runtime.ts";
import { previewText } from "../turn/preview/preview-text.ts";
import { failed } from "../turn/turn-ends.ts";
import type { AcpProgram } from "./launch/programs.ts";

const AUTH_REQUIRED = -32_000;

/** `login`: what it has of its user's, where it is confined. */
export function failureOf(
  cause: unknown,
  program: string,
  known: AcpProgram,
  login: ShownLogin | undefined,
): TurnEvent {
  if (cause instanceof AgentGone) return failed("unavailable", cause.message);
  if (!isRequestError(cause)) throw cause;
  const refused = wantsLogin(cause, program, known, login);
  if (refused !== undefined) return failed("unavailable", refused.message);
  return failed("unknown", `"${program}" failed: ${describeError(cause)}`);
}

/** Undefined: it is about something else. */
export function wantsLogin(
  cause: unknown,
  program: string,
  { login: advice }: AcpProgram,
  login: ShownLogin | undefined,
): AgentGone | undefined {
  if (!isRequestError(cause)) return undefined;
  const description = describeError(cause);
  // Some say it in words only. Where it is confined, it may be for what it does not have there.
  const isMeant =
    cause.code === AUTH_REQUIRED || (login !== undefined && isAboutLogin(description));
  if (!isMeant) return undefined;
  const wayOut = `${advice}${describeShownLogin(login)}`;
  return new AgentGone(`"${program}" wants to be logged in first. ${wayOut} (${description})`);
}

/** It has ended by itself, or was ended. */
export function gone(program: string, end: ChildEnd, complaint: string): AgentGone {
  const described = describeEnd(program, end, complaint);
  if (/unknown (?:option|argument|command)|unrecognized|unexpected argument/i.test(complaint)) {
    return new AgentGone(
      `"${program}" cannot be started as an ACP agent: it is too old, or another program. Update it, or check "command" of its runtime. (${previewText(complaint)})`,
    );
  }
  return new AgentGone(
    end.how === "exited"
      ? `${described}\nRun its command in a terminal to see what is wrong.`
      : described,
  );
}

/** It was started and did not answer. `noise`: what it wrote that was no message. */
export function notReady(program: string, seconds: number, noise: string): AgentGone {
  const why =
    noise === "" ? "It may be downloading itself, or waiting for a terminal." : printed(noise);
  return new AgentGone(
    `"${program}" was not ready after ${seconds} s. ${why} Does its command start it as an ACP agent?`,
  );
}

export function notAcp(program: string, noise: string): AgentGone {
  return new AgentGone(
    `"${program}" does not speak ACP. ${printed(noise)} Does its command start it as an ACP agent?`,
  );
}

export function wrongVersion(program: string, theirs: number, ours: number): AgentGone {
  const advice = theirs < ours ? `Update "${program}".` : "Update Atrium.";
  return new AgentGone(
    `"${program}" speaks version ${theirs} of ACP, and Atrium speaks version ${ours}. ${advice}`,
  );
}

/** An MCP server of the settings that it cannot reach. */
export function unreachable(program: string, server: string): AgentGone {
  return new AgentGone(
    `"${program}" takes no MCP servers over HTTP. Remove "${server}" from mcpServers, or name a program there.`,
  );
}

const MAX_NAMED = 12;

export function notOffered(
  program: string,
  what: string,
  wanted: string,
  offered: readonly string[],
): AgentGone {
  const named = offered.slice(0, MAX_NAMED).join(", ");
  const more = offered.length > MAX_NAMED ? ` and ${offered.length - MAX_NAMED} more` : "";
  const there =
    offered.length === 0 ? `It offers no choice of ${what}.` : `It has: ${named}${more}.`;
  return new AgentGone(`"${program}" has no ${what} "${wanted}". ${there}`);
}

function printed(noise: string): string {
  return `It printed "${previewText(noise)}".`;
}

/** Read by its fields: its class would have to be loaded to be asked. */
function isRequestError(cause: unknown): cause is RequestError {
  return cause instanceof Error && "code" in cause && typeof cause.code === "number";
}

function describeError({ message, data }: RequestError): string {
  const details =
    typeof data === "object" && data !== null && "details" in data ? data.details : undefined;
  return typeof details === "string" ? `${message}: ${details}` : message;
}
