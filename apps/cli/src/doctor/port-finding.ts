/** Whether a server could open where it is set to. */
import { once } from "node:events";
import { createServer } from "node:net";
import { messageOf } from "../complaint.ts";
import type { ServerPlace } from "../server/find-server.ts";
import type { Settings } from "../server/settings.ts";
import { broken, ok, type Finding } from "./finding.ts";
import { portOwner } from "./port-owner.ts";

export async function portFinding(
  { host, port }: Settings,
  running: ServerPlace | undefined,
): Promise<Finding> {
  if (running !== undefined) return ok("port", `${new URL(running.url).port}, held by the server`);
  if (port === 0) return ok("port", "any that is free");
  const probe = createServer();
  try {
    probe.listen(port, host);
    await once(probe, "listening");
    return ok("port", `${port} is free`);
  } catch (cause) {
    const isTaken = cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE";
    if (!isTaken) {
      const says = `cannot listen on ${host}:${port}: ${messageOf(cause)}`;
      return broken("port", says, "Choose another with --host and --port.");
    }
    const owner = portOwner(port);
    const who = owner === undefined ? "another program" : `${owner.name} (process ${owner.pid})`;
    return broken(
      "port",
      `${port} is taken by ${who}`,
      "Stop that, or open elsewhere: atrium up --port 0",
    );
  } finally {
    probe.close();
  }
}
