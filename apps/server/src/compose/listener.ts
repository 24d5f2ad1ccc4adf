/** Composes the listener: every part's sockets and routes on one port. Part of compose.ts. */
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { answerLater, loadAnswer } from "../listen/answer-later.ts";
import { findBundledClient } from "../listen/bundled-client.ts";
import { createListener, type ListenDeps, type Listener } from "../listen/listener.ts";
import { createOperations, type OperationsRouteDeps } from "../listen/operations.ts";
import { createPages } from "../listen/pages.ts";
import { normalizePath } from "../listen/request-path.ts";
import { createStaticFiles } from "../listen/static-files.ts";
import type { ServerAuth } from "./access.ts";
import type { Part, ServerOptions } from "./parts.ts";
import type { State } from "./state.ts";

export interface ListenerParts
  extends Pick<ListenDeps, "atTurnEnd">, Pick<OperationsRouteDeps, "isReady" | "uptimeMs"> {
  readonly state: Pick<State, "log" | "trouble" | "quarantine" | "projections" | "view">;
  readonly auth: ServerAuth;
}

export function composeListener(
  { config, version, report }: ServerOptions,
  all: readonly Part[],
  { auth, atTurnEnd, isReady, uptimeMs, state }: ListenerParts,
): Listener {
  const app = new Hono<{ Bindings: HttpBindings }>({ getPath: normalizePath });
  const operations = createOperations({
    isReady,
    trouble: () => state.trouble.reason,
    uptimeMs,
    metricsAccess: auth.metricsAccess,
    version,
    logHead: () => state.log.head,
    damagedEntries: () => state.quarantine.damaged,
    unknownEntries: () => state.quarantine.unknown,
    listenerFaults: () => {
      const { listenerFaults } = state.projections;
      const failed = all.reduce((sum, { reactionFaults }) => sum + (reactionFaults?.() ?? 0), 0);
      return failed === 0 ? listenerFaults : new Map(listenerFaults).set("reactions", failed);
    },
    clusterMetrics: () => state.view?.metrics(),
    connections: () => listener.connections,
    strangers: () => listener.strangers,
  });
  const apps = [operations, ...all.flatMap((part) => part.apps ?? [])];
  for (const each of apps) app.route("/", each);
  // Last, because it answers for every path that nobody else has.
  const pages = createPages({
    version,
    files: config.web === undefined ? findBundledClient() : createStaticFiles(config.web),
    crew: config.crew,
    access: auth.pagesAccess,
  });
  const { fetch } = app.route("/", pages);
  const listener = createListener({
    limits: config.limits,
    gate: config,
    now: () => performance.now(),
    serve: answerLater(() => loadAnswer(fetch), report),
    rooms: new Map(all.flatMap(({ sockets = {} }) => Object.entries(sockets))),
    atTurnEnd,
    readCredential: auth.readCredential,
    originOf: auth.originOf,
    isOfAgent: auth.isOfAgent,
    report,
  });
  return listener;
}
