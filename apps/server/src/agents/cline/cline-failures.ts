/** What can be wrong with Cline, each in a sentence that says what to do. */
import { describeEnd, type ChildEnd } from "../../confinement/program/child.ts";
import { describeShownLogin, isAboutLogin, type ShownLogin } from "../process/home/shown-login.ts";
import type { TurnEvent } from "../turn/agent-runtime.ts";
import { previewText } from "../turn/preview/preview-text.ts";
import { failed } from "../turn/turn-ends.ts";

const LOG_IN = "Log in with `cline auth` as the server's user.";
const SEE = "Run it in a terminal as the server's user to see what is wrong.";

/** It has ended without a result. `noise`: what it wrote that was no line of its own. */
export function endFailure(
  program: string,
  end: ChildEnd,
  { complaint, noise }: { readonly complaint: string; readonly noise: string },
): TurnEvent {
  if (/unknown option|unexpected argument/i.test(complaint)) {
    return failed(
      "unavailable",
      `"${program}" is too old, or another program. Update it: npm install -g cline@latest (${previewText(complaint)})`,
    );
  }
  if (noise !== "") return failed("unavailable", strangerFailure(program, noise));
  const described = describeEnd(program, end, complaint);
  return failed("unavailable", end.how === "exited" ? `${described}\n${SEE}` : described);
}

export function strangerFailure(program: string, noise: string): string {
  return `"${program}" does not write what Cline writes; it printed "${previewText(noise)}". Check "command" of the runtime.`;
}

export function silentFailure(program: string, ms: number): TurnEvent {
  return failed(
    "unavailable",
    `"${program}" said nothing for ${ms / 1000} s after it was started. ${SEE}`,
  );
}

/** It has told by itself that it failed. */
export function runFailure(
  program: string,
  text: string,
  login: ShownLogin | undefined,
): TurnEvent {
  if (isAboutLogin(text)) {
    const wayOut = `${LOG_IN}${describeShownLogin(login)}`;
    return failed(
      "unavailable",
      `"${program}" wants to be logged in first. ${wayOut} (It said: ${previewText(text)})`,
    );
  }
  return failed("unknown", `"${program}" failed: ${text}`);
}
