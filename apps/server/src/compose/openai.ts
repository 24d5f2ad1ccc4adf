/**
 * The part of the whole that is served over plain HTTP: agents for OpenAI's clients, and what the
 * gateway's peers ask for without a socket. Imported by compose.ts only.
 */
import {
  createReadToolCall,
  createTranscript,
  type Clock,
  type Conversations,
  type CrewMember,
  type Dispatch,
  type Fault,
  type Ids,
} from "@atrium/core";
import type { Log } from "@atrium/log";
import type { HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import type { HttpAccess } from "../access/http-access.ts";
import type { Blobs } from "../platform/blobs.ts";
import { createHttpRoutes } from "../rooms/gateway/http/routes.ts";
import { openOpenaiRoom } from "../rooms/openai/room.ts";
import type { RunDirector } from "../runs/run-director.ts";
import type { TurnHumanInput } from "../runs/run-driver.ts";
import type { Config } from "../settings/read-config.ts";
import { ownTools } from "../tools/own-tools.ts";
import { createToolCalls } from "../tools/tool-calls.ts";
import { createToolbox, type OpenToolbox } from "../tools/toolbox.ts";

export interface HttpParts {
  readonly log: Log;
  readonly conversations: Conversations;
  readonly dispatch: Dispatch;
  readonly director: RunDirector;
  readonly toolbox: OpenToolbox;
  readonly access: HttpAccess;
  readonly crew: readonly CrewMember[];
  readonly limits: Config["limits"];
  readonly clock: Clock;
  readonly ids: Ids;
  readonly report: (fault: Fault) => void;
}

export interface HttpRooms {
  readonly apps: readonly Hono<{ Bindings: HttpBindings }>[];
  /** Tells whoever waits that the server is going. */
  close(): void;
}

/** Tools talk to the director, and the director's turns use tools: one of them has to be looked up later. */
export function composeToolbox(
  parts: Pick<HttpParts, "log" | "conversations" | "crew" | "clock" | "dispatch" | "ids"> & {
    readonly asking: TurnHumanInput;
    readonly blobs: Blobs;
  },
  director: () => RunDirector,
): OpenToolbox {
  return createToolbox(
    ownTools({
      ...parts,
      transcript: createTranscript(parts.log),
      modelOf: (handle) => director().modelOf(handle),
      desk: { send: (message, once) => director().intake.send(message, once) },
      live: { publish: (runId, event) => director().live.publish(runId, event) },
      runs: { wait: (runId, signal) => director().reports.wait(runId, signal) },
    }),
  );
}

export function composeOpenai(parts: HttpParts): HttpRooms {
  const { access, crew, director, limits, toolbox, report } = parts;
  const { maxBodyBytes, bodyTimeoutMs, keepAliveMs, maxBufferedBytes } = limits;
  const openai = openOpenaiRoom({
    access,
    desk: director.intake,
    runs: director.reports,
    live: director.live,
    crew,
    clock: parts.clock,
    ids: parts.ids,
    limits: { maxBytes: maxBodyBytes, timeoutMs: bodyTimeoutMs, keepAliveMs, maxBufferedBytes },
    report,
  });
  const { log, conversations, dispatch } = parts;
  const plain = createHttpRoutes({
    access,
    crew,
    conversations,
    transcript: createTranscript(log),
    modelOf: director.modelOf,
    desk: director.intake,
    toolbox,
    calls: createToolCalls({ toolbox, dispatch, readToolCall: createReadToolCall(log), report }),
    bodyTimeoutMs,
    report,
  });
  return { apps: [openai.app, plain], close: () => openai.close() };
}
