/**
 * Answers HTTP requests, and loads what that takes with the first of them: mostly Node's own fetch, which is a tenth of a
 * start and megabytes of an idle server's memory. Peers that only open sockets never need it.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { Fault } from "@atrium/core";
import type { getRequestListener } from "@hono/node-server";

export type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** For a client that may come again once there are files to be opened, for one. */
const RETRY_AFTER_SECONDS = "1";

export function answerLater(
  load: () => Promise<Answer>,
  report: (fault: Fault) => void,
): RequestListener {
  let loading: Promise<Answer> | undefined;
  let answer: Answer | undefined;
  const loadOnce = async (): Promise<Answer> => {
    try {
      return await (loading ??= load());
    } catch (cause) {
      loading = undefined;
      throw cause;
    }
  };
  const answerFirst: Answer = async (request, response) => {
    try {
      answer = await loadOnce();
    } catch (cause) {
      report(new Fault("what answers HTTP could not be loaded", {}, cause));
      response.writeHead(503, { "retry-after": RETRY_AFTER_SECONDS, connection: "close" }).end();
      return;
    }
    await answer(request, response);
  };
  return (request, response) => void (answer ?? answerFirst)(request, response);
}

export async function loadAnswer(fetch: Parameters<typeof getRequestListener>[0]): Promise<Answer> {
  // First, because the other replaces the Response that this one makes an instance of.
  await import("@hono/node-server/utils/response");
  const { getRequestListener } = await import("@hono/node-server");
  return getRequestListener(fetch);
}
