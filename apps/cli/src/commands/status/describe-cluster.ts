/** The nodes and servers of a shared log, as `atrium status` shows them. */
import type { CallResult } from "@atrium/client";
import { columns } from "../../terminal/columns.ts";
import { count, duration } from "../../terminal/measures.ts";
import type { Paint } from "../../terminal/paint.ts";
import { plainLine } from "../../terminal/plain-text.ts";

export type SharedLog = NonNullable<CallResult<"status">["cluster"]>;

const NAME_LENGTH = 64;
const URL_LENGTH = 80;
const SENTENCE_LENGTH = 400;

export function describeCluster(cluster: SharedLog, paint: Paint, now: number): string {
  const { strong } = paint;
  const servers = cluster.servers.map((server) => serverRow(server, paint));
  return [
    `\n${strong("Nodes")}\n${columns(cluster.nodes.map((node) => nodeRow(node, cluster, paint, now)))}`,
    servers.length === 0 ? "" : `\n${strong("Servers of the log")}\n${columns(servers)}`,
    describeTrouble(cluster, paint),
  ].join("");
}

function describeTrouble({ trouble, director, warnings }: SharedLog, paint: Paint): string {
  const lines = [
    ...(trouble === undefined
      ? []
      : [paint.bad(`nothing can be written: ${plainLine(trouble, SENTENCE_LENGTH)}`)]),
    ...(director === undefined ? [paint.bad("nobody directs for the moment")] : []),
    ...warnings.map((warning) => paint.doubtful(plainLine(warning, SENTENCE_LENGTH))),
  ];
  return lines.length === 0 ? "" : `\n${lines.map((line) => `${line}\n`).join("")}`;
}

function nodeRow(
  { name, url, version, alive, applied, lag, agrees }: SharedLog["nodes"][number],
  { node, director, directsSince, pen }: SharedLog,
  { quiet, good, bad }: Paint,
  now: number,
): readonly string[] {
  const since = directsSince === undefined ? "" : ` for ${duration(now - directsSince)}`;
  const duties = [
    ...(name === node ? ["this one"] : []),
    ...(name === director ? [`directs${since}`] : []),
    ...(name === pen ? ["has the pen"] : []),
  ];
  return [
    plainLine(name, NAME_LENGTH),
    alive ? good("alive") : bad("gone"),
    quiet(plainLine(`${version} ${url}`, URL_LENGTH)),
    `message ${applied}${lag === 0 ? "" : `, ${lag} behind`}`,
    agrees === false ? bad("another history") : agrees === true ? quiet("same history") : "",
    duties.join(", "),
  ];
}

function serverRow(
  {
    url,
    reachable,
    name = "",
    version = "",
    leads,
    messages,
    missing = 0,
    behind = 0,
  }: SharedLog["servers"][number],
  { quiet, good, bad }: Paint,
): readonly string[] {
  return [
    plainLine(name === "" ? url : name, NAME_LENGTH),
    reachable ? good("answers") : bad("does not answer"),
    quiet(plainLine(version, NAME_LENGTH)),
    messages === undefined ? "" : count(messages, "message"),
    missing === 0 ? "" : bad(`${missing} missing`),
    behind === 0 ? "" : bad(`stays ${behind} behind`),
    leads === true ? "leads" : "",
  ];
}
