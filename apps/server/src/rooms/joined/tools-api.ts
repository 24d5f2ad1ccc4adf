/**
 * The tools of joined sessions: `GET /api/joined/tools` lists them, `POST` calls one. Admitted as hooks are; which
 * session it is, is told by the process that has started the caller.
 */
import type { IncomingMessage } from "node:http";
import type { Fault } from "@atrium/core";
import { Compile, Type } from "@atrium/schema";
import type { HttpAccess } from "../../access/http-access.ts";
import { createHttpApi, type Endpoint, type HttpApp } from "../../http/api.ts";
import { readJsonBody, type BodyLimits } from "../../http/json-body.ts";
import { invalidBody, problem } from "../../http/problem.ts";
import type { CallerClaim } from "../../joined/tasks/session-caller.ts";
import type { SessionTools } from "../../joined/tasks/session-tools.ts";
import { pidIn, readHookHeader } from "./hook-headers.ts";

export interface ToolsApiDeps {
  readonly tools: SessionTools;
  readonly access: HttpAccess;
  readonly limits: BodyLimits;
  readonly report: (fault: Fault) => void;
}

const PATH = "/api/joined/tools";
const Call = Type.Object({ name: Type.String(), arguments: Type.Optional(Type.Unknown()) });
const call = Compile(Call);

export function createToolsApi({ tools, limits, ...deps }: ToolsApiDeps): HttpApp {
  const list: Endpoint = () => Response.json({ tools: tools.declarations });
  const use: Endpoint = async ({ incoming }) => {
    const body = await readJsonBody(incoming, limits);
    if (!body.ok) return invalidBody(body);
    const { value } = body;
    if (!call.Check(value)) {
      return problem(400, "params.invalid", "A call names its tool and has arguments.");
    }
    return Response.json(await tools.call(claimIn(incoming), value.name, value.arguments));
  };
  return createHttpApi({ [PATH]: { GET: list, POST: use } }, deps);
}

function claimIn(incoming: IncomingMessage): CallerClaim {
  return { pid: pidIn(incoming), folder: readHookHeader(incoming, "folder") };
}
