/**
 * Composes what is served over plain HTTP: agents for OpenAI's clients, and the gateway's HTTP routes. Imported
 * by compose.ts only.
 */
import { createReadRun, createReadToolCall, createTranscript } from "@atrium/core";
import type { HttpAccess } from "../access/http-access.ts";
import { bodyLimitsOf } from "../http/body-limits.ts";
import { createBlobs } from "../platform/blobs.ts";
import { clock, ids } from "../platform/system-clock.ts";
import { createHttpRoutes } from "../rooms/gateway/http/routes.ts";
import { createRunParts } from "../rooms/openai/outbound/run-parts.ts";
import { openOpenaiRoom } from "../rooms/openai/room.ts";
import { createToolCalls } from "../tools/tool-calls.ts";
import type { Part, ServerOptions } from "./parts.ts";
import type { Shared } from "./shared.ts";

export function composeOpenai(
  { config, home, report }: ServerOptions,
  { state, director, toolbox }: Pick<Shared, "state" | "director" | "toolbox">,
  access: HttpAccess,
): Part {
  const { crew, limits } = config;
  const openai = openOpenaiRoom({
    access,
    intake: director.intake,
    runs: director.reports,
    parts: createRunParts({
      statuses: director.reports,
      readRun: createReadRun(state.log),
      blobs: createBlobs(home.blobsFolder),
    }),
    live: director.live,
    crew,
    clock,
    ids,
    body: bodyLimitsOf(limits),
    stream: limits,
    report,
  });
  const { log, conversations, dispatch } = state;
  const plain = createHttpRoutes({
    access,
    crew,
    conversations,
    transcript: createTranscript(log),
    modelOf: director.modelOf,
    intake: director.intake,
    toolbox,
    calls: createToolCalls({ toolbox, dispatch, readToolCall: createReadToolCall(log), report }),
    limits,
    report,
  });
  return { apps: [openai.app, plain], close: () => openai.close() };
}
