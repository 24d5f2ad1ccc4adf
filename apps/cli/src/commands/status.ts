/** `atrium status`: where the server is and what goes on in it. */
import type { CallResult, GatewayClient } from "@atrium/client";
import { EXIT } from "../command-line/cli-error.ts";
import { command } from "../command-line/command.ts";
import { SERVER_OPTIONS } from "../command-line/read-args.ts";
import { connectServer } from "../server/connect-server.ts";
import { lookForServer, serverNotRunning, type ServerPlace } from "../server/find-server.ts";
import { type AgentLine, readAgents } from "../server/read-agents.ts";
import { columns } from "../terminal/columns.ts";
import { count, duration, shortPath, size } from "../terminal/measures.ts";
import type { Paint } from "../terminal/paint.ts";
import { plainLine } from "../terminal/plain-text.ts";
import { describeCluster, type SharedLog } from "./status/describe-cluster.ts";
import { describeWaiting } from "./status/describe-waiting.ts";
import { readWaiting, type WaitingItem } from "./status/read-waiting.ts";

interface RunLine {
  readonly session: string;
  readonly state: string;
  readonly runs: number;
}

interface Report {
  readonly running: true;
  readonly waiting: readonly WaitingItem[];
  readonly url: string;
  readonly home: string | undefined;
  readonly version: string;
  readonly protocol: number;
  readonly pid: number;
  /** Left out: there are no previews. */
  readonly previewPort?: number;
  readonly uptimeMs: number;
  readonly log: CallResult<"status">["log"];
  /** Left out: one server keeps the log by itself. */
  readonly cluster?: SharedLog;
  readonly connections: number;
  readonly memoryBytes: number;
  readonly conversations: number;
  readonly agents: readonly AgentLine[];
  readonly underWay: readonly RunLine[];
}

const MAX_SHOWN = 200;
const MODEL_LENGTH = 40;

export const status = command({
  name: "status",
  calls: [["status", "show open requests, the address and current runs"]],
  options: { json: { type: "boolean", help: "print JSON" }, ...SERVER_OPTIONS },
  examples: ["atrium status --json"],
  async run({ values }, environment) {
    const { terminal, now } = environment;
    const found = await lookForServer(values, environment);
    if (found.state === "not running") {
      if (values.json !== true) throw serverNotRunning(found);
      terminal.out(`${JSON.stringify({ running: false, home: found.settings.home })}\n`);
      return EXIT.failed;
    }
    await using client = await connectServer(found.place);
    const report = await takeReport(client, found.place);
    terminal.out(
      values.json === true
        ? `${JSON.stringify(report)}\n`
        : renderReport(report, terminal.paint, now()),
    );
    return EXIT.ok;
  },
});

async function takeReport(client: GatewayClient, place: ServerPlace): Promise<Report> {
  const [facts, waiting, active, agents] = await Promise.all([
    client.call("status", {}),
    readWaiting(client, place),
    client.call("sessions.list", { activeOnly: true, archived: "all", limit: MAX_SHOWN }),
    readAgents(client),
  ]);
  return {
    running: true,
    waiting,
    url: place.url,
    home: place.home ?? client.hello?.snapshot.stateDir,
    version: facts.runtimeVersion,
    protocol: client.hello?.protocol ?? 0,
    pid: facts.pid,
    ...(facts.previewPort !== undefined && { previewPort: facts.previewPort }),
    uptimeMs: facts.uptimeMs,
    log: facts.log,
    ...(facts.cluster !== undefined && { cluster: facts.cluster }),
    connections: facts.connections,
    memoryBytes: facts.processMemory.rssBytes,
    conversations: facts.sessions.count,
    agents,
    underWay: active.sessions.map(({ key, status: state, activeRunIds }) => {
      return { session: key, state: state ?? "running", runs: activeRunIds?.length ?? 1 };
    }),
  };
}

function renderReport(report: Report, paint: Paint, now: number): string {
  const { quiet, strong } = paint;
  const { log } = report;
  const facts = [
    ["up", duration(report.uptimeMs), `process ${report.pid}`],
    ["home", report.home === undefined ? "" : shortPath(report.home), ""],
    ["log", count(log.seq, "entry", "entries"), log.engine],
    ["memory", size(report.memoryBytes), ""],
    ["previews", report.previewPort === undefined ? "none" : `port ${report.previewPort}`, ""],
    ["connections", `${report.connections}`, "including this one"],
    ["conversations", `${report.conversations}`, ""],
  ];
  const agents = report.agents.map(({ id, name, provider, model, conversations }) => [
    id,
    plainLine(name, MODEL_LENGTH),
    quiet(plainLine(`${provider}/${model}`, MODEL_LENGTH)),
    conversations === 0 ? "" : quiet(count(conversations, "conversation")),
  ]);
  const underWay = report.underWay.map(({ session, state, runs }) => [
    session,
    paint.good(state),
    runs === 1 ? "" : quiet(count(runs, "run")),
  ]);
  return [
    `${strong(`Atrium ${report.version}`)} is open at ${paint.link(report.url)}\n\n`,
    report.waiting.length === 0 ? "" : `${describeWaiting(report.waiting, paint, now)}\n`,
    columns(
      facts
        .filter(([, value]) => value !== "")
        .map(([name = "", value = "", note = ""]) => [quiet(name), value, quiet(note)]),
    ),
    report.cluster === undefined ? "" : describeCluster(report.cluster, paint, now),
    `\n${strong("Agents")}\n${columns(agents)}`,
    underWay.length === 0
      ? report.waiting.length > 0
        ? ""
        : `\n${quiet("No active runs.")}\n`
      : `\n${strong("Active runs")}\n${columns(underWay)}`,
  ].join("");
}
