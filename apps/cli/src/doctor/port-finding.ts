/** Whether a server could open where it is set to. */
import { once } from "node:events";
import { createServer } from "node:net";
import { messageOf } from "../command-line/cli-error.ts";
import type { ServerPlace } from "../server/find-server.ts";
import type { Holder } from "../server/home-files.ts";
import type { ServerSettings } from "../server/settings.ts";
import { broken, ok, type Finding } from "./finding.ts";
import { portOwner } from "./port-owner.ts";

/** `last` is the server that died here: a new one is started with the same flags. */
export async function portFinding(
  { host, port: next }: ServerSettings,
  running: ServerPlace | undefined,
  last?: Holder,
): Promise<Finding> {
  if (running !== undefined) return ok("port", `${new URL(running.url).port}, held by the server`);
  const isLast = last !== undefined && URL.canParse(last.url);
  const port = isLast ? Number(new URL(last.url).port) : next;
  if (port === 0) return ok("port", "any free port");
  return tryPort(host, port, isLast ? ", where the last server was" : "");
}

async function tryPort(host: string, port: number, about: string): Promise<Finding> {
  const probe = createServer();
  try {
    probe.listen(port, host);
    await once(probe, "listening");
    return ok("port", `${port} is free${about}`);
  } catch (cause) {
    const isTaken = cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE";
    if (!isTaken) {
      const message = `cannot listen on ${host}:${port}: ${messageOf(cause)}`;
      return broken("port", message, "Choose another address with --host and --port.");
    }
    const owner = portOwner(port);
    const who = owner === undefined ? "another program" : `${owner.name} (process ${owner.pid})`;
    return broken(
      "port",
      `${port} is taken by ${who}`,
      "Stop that program, or use another port: atrium up --port 0",
    );
  } finally {
    probe.close();
  }
}
