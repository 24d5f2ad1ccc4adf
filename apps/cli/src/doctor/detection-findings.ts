/** Which agents the server has found on its machine. None of them has to be there, so nothing is broken by it. */
import type { CallResult, GatewayClient } from "@atrium/client";
import { note, ok, type Finding } from "./finding.ts";

type Detection = CallResult<"agents.discover">;

const LIST = "To list them with what to do, run: atrium agents";

export async function detectionFindings(client: GatewayClient): Promise<Finding[]> {
  // A server of an earlier version.
  if (client.hello?.features.methods.includes("agents.discover") !== true) return [];
  const { agentPrograms, modelServers }: Detection = await client.call("agents.discover", {});
  const there = [...agentPrograms, ...modelServers].filter(({ state }) => state !== "missing");
  if (there.length === 0) {
    return [note("found", "no agent program and no model server on the server's machine", LIST)];
  }
  const names = there.map((each) => {
    const version = "version" in each ? ` ${each.version}` : "";
    return `${each.name}${version}${each.state === "ready" ? "" : ` (${each.state})`}`;
  });
  const isUsable = there.some(({ state }) => state === "ready" || state === "login-unknown");
  const message = names.join(", ");
  return [isUsable ? ok("found", message) : note("found", message, LIST)];
}
