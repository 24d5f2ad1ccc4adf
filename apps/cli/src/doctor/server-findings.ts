/** The server itself: whether it answers, lets us in, keeps time, and who does the work. */
import { GatewayError, type CallResult, type GatewayClient } from "@atrium/client";
import { messageOf } from "../command-line/cli-error.ts";
import { connectServer } from "../server/connect-server.ts";
import type { ServerPlace } from "../server/find-server.ts";
import { readAgents, type AgentLine } from "../server/read-agents.ts";
import { isRecord } from "../server/settings.ts";
import { count, duration } from "../terminal/measures.ts";
import { clusterFindings } from "./cluster-findings.ts";
import { detectionFindings } from "./detection-findings.ts";
import { entryFindings } from "./entry-findings.ts";
import { broken, note, ok, type Finding } from "./finding.ts";
import { gitFindings } from "./git-findings.ts";
import { sandboxFindings } from "./sandbox-findings.ts";

const TIMEOUT_MS = 5_000;
const SKEW_NOTED_MS = 5_000;
/** Beyond this the signatures of devices are too old for the server. */
const SKEW_BROKEN_MS = 60_000;
const REHEARSAL = "rehearsal";

export async function serverFindings(place: ServerPlace, now: () => number): Promise<Finding[]> {
  const reached = await reach(place);
  if (reached.state === "broken") return [reached];
  try {
    await using client = await connectServer(place);
    const status = await client.call("status", {});
    return [
      reached,
      ok("token", place.token === undefined ? "not needed" : "accepted"),
      await clockFinding(client, now),
      ...statusFindings(status),
      ...clusterFindings(status),
      ...(await sandboxFindings(place)),
      ...(await gitFindings(place)),
      ...(await entryFindings(place)),
      ...(await detectionFindings(client)),
      ...runtimeFindings(await readAgents(client)),
      ...(await standingRuleFindings(client)),
    ];
  } catch (cause) {
    const why = cause instanceof Error && cause.cause instanceof GatewayError ? cause.cause : cause;
    const advice =
      place.home === undefined
        ? "Pass the right token with --token or ATRIUM_TOKEN."
        : "The server was started with another token. Pass that one with --token, or restart the server.";
    return [reached, broken("token", messageOf(why), advice)];
  }
}

async function reach(place: ServerPlace): Promise<Finding> {
  const advice =
    place.home === undefined
      ? "Check the address, and that the server is running."
      : "The process exists but does not answer. Stop it, then run: atrium up";
  try {
    const response = await fetch(new URL("/readyz", place.url), {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const about = readJson(await response.text());
    if (!isRecord(about) || typeof about["version"] !== "string") {
      return broken("server", `${place.url} is not an Atrium server`, advice);
    }
    const { version, uptimeMs, ready } = about;
    if (ready !== true) return broken("server", `${place.url} is not ready yet`, "Retry shortly.");
    const up = typeof uptimeMs === "number" ? `, up ${duration(uptimeMs)}` : "";
    return ok("server", `${place.url} version ${version}${up}`);
  } catch (cause) {
    const why = cause instanceof Error ? messageOf(cause.cause ?? cause) : messageOf(cause);
    return broken("server", `${place.url} does not answer: ${why}`, advice);
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function clockFinding(client: GatewayClient, now: () => number): Promise<Finding> {
  const before = now();
  const { ts } = await client.call("sessions.list", { limit: 1 });
  const skew = Math.abs(ts - (before + now()) / 2);
  if (skew < SKEW_NOTED_MS) return ok("clock", "agrees with the server's");
  const message = `${duration(skew)} away from the server's`;
  const advice = "Synchronize both clocks with network time.";
  return skew < SKEW_BROKEN_MS ? note("clock", message, advice) : broken("clock", message, advice);
}

function statusFindings({ eventLoop, previewPort }: CallResult<"status">): Finding[] {
  const preview =
    previewPort === undefined
      ? note(
          "preview",
          "there are no previews of sites that agents made: off, or the port is taken",
          "Set preview to a free port in the settings.",
        )
      : ok("preview", `port ${previewPort}`);
  if (!eventLoop.degraded) return [ok("load", "keeps up"), preview];
  const busy = `${Math.round(eventLoop.utilization * 100)} % busy`;
  const load = note(
    "load",
    `the server is slow to answer: ${busy}`,
    "To see the active runs, run: atrium status",
  );
  return [load, preview];
}

/** What was always allowed by versions that let it cover more than was read. */
async function standingRuleFindings(client: GatewayClient): Promise<Finding[]> {
  const { rules } = await client.call("exec.approval.rules.list", {});
  const isVoid = rules.filter(({ scope }) => scope === undefined);
  if (isVoid.length === 0) return [];
  return [
    note(
      "permissions",
      `${count(isVoid.length, "standing permission")} of an earlier version covered more than was read; they are void and agents ask again`,
      "To list them, run: atrium approvals. To remove one, run: atrium approvals revoke ID",
    ),
  ];
}

const RIGHTS = "agents' programs run with the rights of the server's user";

function runtimeFindings(agents: readonly AgentLine[]): Finding[] {
  const byModel = Map.groupBy(agents, ({ provider, model }) => `${provider}/${model}`);
  const isReal = agents.some(({ provider }) => provider !== REHEARSAL);
  const rights = note(
    "rights",
    `${RIGHTS}: they can read that user's files, including the server's token`,
    "Run the server as a separate user. docs/agents.md lists what agents cannot do.",
  );
  const found = [...byModel].map(([model, group]) => {
    const who = count(group.length, "agent");
    if (group[0]?.provider !== REHEARSAL) return ok("agents", `${who} by ${model}`);
    return note(
      "agents",
      `${who} by ${model}`,
      "Rehearsal runs no model. It is for trying Atrium out.",
    );
  });
  return isReal ? [...found, rights] : found;
}
