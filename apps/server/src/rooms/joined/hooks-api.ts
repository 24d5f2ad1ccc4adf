/**
 * Where the hooks of joined sessions report: `POST /api/joined/hooks`, one event of the program as it gives it.
 *
 *   body, headers of the hook's script -> report -> intake -> what the hook prints (200), or nothing (204)
 *
 * A permission request is answered when someone has answered it; a closed connection says that the hook is gone.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { refuse, type Fault } from "@atrium/core";
import type { HttpAccess } from "../../access/http-access.ts";
import { abortOnDisconnect, createHttpApi, type Endpoint, type HttpApp } from "../../http/api.ts";
import { readJsonBody, type BodyLimits } from "../../http/json-body.ts";
import { invalidBody, problem, refusal } from "../../http/problem.ts";
import { readHookReport, type HookSetting } from "../../joined/hook-report.ts";
import { ASK_AGAIN, type HookReply, type JoinedIntake } from "../../joined/joined-intake.ts";
import { pidIn, readHookHeader } from "./hook-headers.ts";

export interface HooksApiDeps {
  readonly intake: JoinedIntake;
  readonly access: HttpAccess;
  readonly limits: BodyLimits;
  readonly report: (fault: Fault) => void;
  /** A message that was handed over could not be marked so. */
  readonly onFault: (cause: unknown) => void;
}

export const HOOKS_PATH = "/api/joined/hooks";

const MAX_HEADER_CHARS = 200;
const NOTHING = 204;

export function createHooksApi({ intake, limits, onFault, ...deps }: HooksApiDeps): HttpApp {
  const take: Endpoint = async ({ incoming, outgoing }) => {
    const body = await readJsonBody(incoming, limits);
    if (!body.ok) return invalidBody(body);
    const report = readHookReport(body.value, settingIn(incoming));
    if (report === undefined) {
      return problem(400, "params.invalid", "A hook names its session and its event.");
    }
    const left = abortOnDisconnect(outgoing);
    if (readHookHeader(incoming, "wait") !== null) {
      return wake(await intake.wait(report, left), outgoing, onFault);
    }
    const reply = await intake.take(report, left);
    if (reply === ASK_AGAIN) return refusal(refuse("server.closing"));
    if (reply === undefined) return new Response(null, { status: NOTHING });
    confirm(reply, outgoing, onFault);
    return Response.json(reply.answer);
  };
  return createHttpApi({ [HOOKS_PATH]: { POST: take } }, deps);
}

/** The words as they are: the script that waits prints them. */
function wake(
  handed: Awaited<ReturnType<JoinedIntake["wait"]>>,
  outgoing: ServerResponse,
  onFault: HooksApiDeps["onFault"],
): Response {
  if (handed === ASK_AGAIN) return refusal(refuse("server.closing"));
  if (handed === undefined) return new Response(null, { status: NOTHING });
  confirm(handed, outgoing, onFault);
  return new Response(handed.text, { headers: { "content-type": "text/plain; charset=utf-8" } });
}

/** What was handed over counts once all of it has left for the hook. */
function confirm(
  { onDelivered, onLost }: Pick<HookReply, "onDelivered" | "onLost">,
  outgoing: ServerResponse,
  onFault: HooksApiDeps["onFault"],
): void {
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) onLost?.();
    else onDelivered?.().catch(onFault);
  });
}

function settingIn(incoming: IncomingMessage): HookSetting {
  const read = (name: string): string | null =>
    readHookHeader(incoming, name)?.slice(0, MAX_HEADER_CHARS) ?? null;
  return {
    owner: read("owner"),
    branch: read("branch"),
    pid: pidIn(incoming),
    requestId: read("request"),
    programName: read("program"),
    askingHere: new Set(read("ask")?.split(" ")),
  };
}
