/**
 * What waits for a person, and how it is answered from here: a command, or else the page it is on.
 *
 * Everything that is asked, wherever it is asked, is among the office's decisions. Permissions are taken from the
 * gateway, which knows the code they are answered with; pairings are known nowhere else.
 */
import type { GatewayClient, Snapshot } from "@atrium/client";
import { CliError, messageOf } from "../../command-line/cli-error.ts";
import type { ServerPlace } from "../../server/find-server.ts";
import { isRecord } from "../../server/settings.ts";
import { count } from "../../terminal/measures.ts";
import { plainLine } from "../../terminal/plain-text.ts";
import { answerCall } from "../build/answer-call.ts";

export interface WaitingItem {
  readonly kind: string;
  readonly what: string;
  readonly options: readonly string[];
  readonly sinceMs: number | undefined;
  /** What to type, or the page to open. */
  readonly answer: string;
}

type Office = Pick<Snapshot, "decisions" | "artifacts" | "projects" | "tasks">;

const TIMEOUT_MS = 10_000;

export async function readWaiting(
  client: GatewayClient,
  place: ServerPlace,
): Promise<readonly WaitingItem[]> {
  const [office, permissions, pairings] = await Promise.all([
    readOffice(place),
    readPermissions(client),
    readPairings(client),
  ]);
  const questions = await Promise.all(
    office.decisions
      .filter(({ status, kind }) => status === "open" && kind !== "permission")
      .map((decision) => decisionAsWaiting(client, place, decision)),
  );
  const reviews = office.artifacts
    .filter(({ status }) => status === "delivered")
    .map(({ name, version, artifact_id: id }) =>
      at("review", `${name}, version ${version}`, pageFor(place, `?show=artifact:${id}`)),
    );
  const stuck = stuckWork(office, place);
  return [...permissions, ...questions.toSorted(byAge), ...pairings, ...stuck, ...reviews];
}

const byAge = (a: WaitingItem, b: WaitingItem): number => (a.sinceMs ?? 0) - (b.sinceMs ?? 0);

async function decisionAsWaiting(
  client: GatewayClient,
  place: ServerPlace,
  decision: Office["decisions"][number],
): Promise<WaitingItem> {
  const { build_id: buildId, decision_id: id, prompt: what, options, asked_at: sinceMs } = decision;
  if (buildId === undefined) {
    const answer = pageFor(place, `?show=decision:${id}`);
    return { kind: decision.kind, what, options, sinceMs, answer };
  }
  const { build } = await client.call("build.get", { id: buildId });
  // It may have been answered just now; then its page says so.
  const answer =
    build.question === undefined
      ? pageFor(place, `builds/${buildId}`)
      : answerCall(buildId, build.question);
  return { kind: "build", what, options, sinceMs, answer };
}

/** Tasks that nobody was given, and those that failed while their project goes on. */
function stuckWork({ projects, tasks }: Office, place: ServerPlace): readonly WaitingItem[] {
  const going = projects.filter(({ ended_at }) => ended_at === undefined);
  return going.flatMap(({ project_id: id, title }) => {
    const mine = tasks.filter((task) => task.project_id === id);
    const idle = mine.filter((task) => task.status === "planned" && task.assignee === undefined);
    const failed = mine.filter((task) => task.status === "failed");
    return [
      ...(idle.length === 0
        ? []
        : [
            at(
              "handout",
              `${count(idle.length, "task")} of ${title}`,
              pageFor(place, "?show=board"),
            ),
          ]),
      ...failed.map((task) =>
        at("failure", task.title, pageFor(place, `?show=task:${task.task_id}`)),
      ),
    ];
  });
}

function at(kind: string, what: string, answer: string): WaitingItem {
  return { kind, what, options: [], sinceMs: undefined, answer };
}

async function readPermissions(client: GatewayClient): Promise<readonly WaitingItem[]> {
  const pending = await client.call("exec.approval.list", {});
  return pending.map(({ code, request, createdAtMs }) => ({
    kind: "permission",
    what: `${request.tool} ${request.command}`.trim(),
    options: [],
    sinceMs: createdAtMs,
    // Only the beginning is shown here; that command shows all of it, then asks.
    answer: `atrium approvals allow ${code}`,
  }));
}

async function readPairings(client: GatewayClient): Promise<readonly WaitingItem[]> {
  const [devices, nodes] = await Promise.all([
    client.call("device.pair.list", {}),
    client.call("node.pair.list", {}),
  ]);
  return [
    ...devices.pending.map(({ requestId, displayName, deviceId, ts }) =>
      pairingAsWaiting("device", requestId, displayName ?? deviceId, ts),
    ),
    ...nodes.pending.map(({ requestId, displayName, nodeId, ts }) =>
      pairingAsWaiting("node", requestId, displayName ?? nodeId, ts),
    ),
  ];
}

function pairingAsWaiting(
  kind: "device" | "node",
  id: string,
  name: string,
  sinceMs: number,
): WaitingItem {
  const answer = `atrium ${kind}s approve ${id}`;
  return { kind, what: `${name} asks for approval`, options: [], sinceMs, answer };
}

async function readOffice({ url, token }: ServerPlace): Promise<Office> {
  let body: unknown;
  try {
    const response = await fetch(new URL("/api/office", url), {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    body = await response.json();
  } catch (cause) {
    throw new CliError(`${url} did not list the open requests: ${messageOf(cause)}.`, {}, cause);
  }
  const lists = ["decisions", "artifacts", "projects", "tasks"] as const;
  if (isRecord(body) && lists.every((name) => Array.isArray(body[name]))) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own server's, of one version with us
    return body as unknown as Office;
  }
  const answer = plainLine(JSON.stringify(body), 200);
  throw new CliError(`${url} did not list the open requests: ${answer}`);
}

function pageFor({ url }: ServerPlace, path: string): string {
  return new URL(path, url).href;
}
