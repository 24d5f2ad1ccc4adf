/** `atrium agents`: what was found on the server's machine, and who of the crew uses what. */
import type { CallResult, GatewayClient } from "@atrium/client";
import { EXIT } from "../command-line/cli-error.ts";
import { command } from "../command-line/command.ts";
import { SERVER_OPTIONS } from "../command-line/read-args.ts";
import { connectServer } from "../server/connect-server.ts";
import { describeBrought } from "../server/describe-brought.ts";
import { findServer } from "../server/find-server.ts";
import { readAgents } from "../server/read-agents.ts";
import { isRecord } from "../server/settings.ts";
import { columns } from "../terminal/columns.ts";
import type { Paint } from "../terminal/paint.ts";
import { plainLine } from "../terminal/plain-text.ts";

type Detection = CallResult<"agents.discover">;
type Detected = Detection["agentPrograms"][number] | Detection["modelServers"][number];

interface CrewLine {
  readonly id: string;
  readonly name: string;
  /** Its name in the settings. */
  readonly runtime: string;
  readonly model: string;
  /** What it brings along, and what of a repository's it cannot be given. */
  readonly brings?: string;
}

interface Report extends Detection {
  readonly crew: readonly CrewLine[];
}

const NAME_LENGTH = 40;
const MESSAGE_LENGTH = 300;

export const agents = command({
  name: "agents",
  calls: [["agents", "list the agents found on the server's machine, and the crew"]],
  options: {
    refresh: { type: "boolean", help: "ask every program again" },
    json: { type: "boolean", help: "print JSON" },
    ...SERVER_OPTIONS,
  },
  examples: ["atrium agents --refresh"],
  async run({ values }, environment) {
    const { terminal } = environment;
    await using client = await connectServer(await findServer(values, environment));
    const report = await takeReport(client, values.refresh === true);
    terminal.out(
      values.json === true ? `${JSON.stringify(report)}\n` : renderReport(report, terminal.paint),
    );
    return EXIT.ok;
  },
});

async function takeReport(client: GatewayClient, refresh: boolean): Promise<Report> {
  const [detection, lines, { config }] = await Promise.all([
    client.call("agents.discover", { refresh }),
    readAgents(client),
    client.call("config.get", {}),
  ]);
  const listed: unknown = config["crew"];
  const rows = Array.isArray(listed) ? listed.filter(isRecord) : [];
  const members = new Map(rows.map((member) => [String(member["handle"]), member]));
  const crew = lines.map(({ id, name, provider, model: named }) => {
    const member = members.get(id) ?? {};
    const { runtime } = member;
    const model = `${provider}/${named}`;
    const brings = describeBrought(member, config["repositories"]);
    const row = { id, name, runtime: typeof runtime === "string" ? runtime : provider, model };
    return brings === "" ? row : { ...row, brings };
  });
  return { ...detection, crew };
}

function renderReport({ agentPrograms, modelServers, crew }: Report, paint: Paint): string {
  const found = (rows: readonly Detected[]): string =>
    columns(rows.map((each) => rowOf(each, paint)));
  const members = crew.map(({ id, name, runtime, model, brings = "" }) => [
    id,
    plainLine(name, NAME_LENGTH),
    plainLine(runtime, NAME_LENGTH),
    paint.quiet(plainLine(model, NAME_LENGTH)),
    ...(brings === "" ? [] : [plainLine(brings, MESSAGE_LENGTH)]),
  ]);
  return [
    `${paint.strong("Agent programs")}\n${found(agentPrograms)}`,
    `\n${paint.strong("Model servers")}\n${found(modelServers)}`,
    `\n${paint.strong("The crew")}\n${columns(members)}`,
  ].join("");
}

function rowOf(detected: Detected, paint: Paint): readonly string[] {
  const version = "version" in detected ? detected.version : undefined;
  return [
    detected.name,
    version ?? "",
    toneOf(detected.state, paint)(detected.state),
    paint.quiet(plainLine(detected.message, MESSAGE_LENGTH)),
  ];
}

function toneOf(state: Detected["state"], paint: Paint): (text: string) => string {
  switch (state) {
    case "ready":
      return paint.good;
    case "login-needed":
    case "login-unknown":
    case "too-old":
      return paint.doubtful;
    case "broken":
      return paint.bad;
    case "missing":
      return paint.quiet;
  }
}
