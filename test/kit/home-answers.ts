/** What a server answers about everything it keeps: the same questions to any version, for comparing two of them. */
import { DatabaseSync } from "node:sqlite";
import type { Connected } from "./raw-peer.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- whatever was answered
type Json = any;

export interface Questioned {
  readonly url: string;
  readonly token: string;
  connect(): Promise<Connected>;
}

/** Signals of a log that has ended so early are few: one page is all of them. */
const PAGE = 1_000;
const EVER = { startDate: "2020-01-01", endDate: "2100-01-01", limit: PAGE };

export async function askEverything(
  server: Questioned,
  pollIds: readonly string[],
): Promise<object> {
  await using peer = await server.connect();
  const get = async (path: string): Promise<Json> => {
    const headers = { authorization: `Bearer ${server.token}` };
    return (await fetch(new URL(path, server.url), { headers })).json();
  };
  const { sessions } = await peer.ask("sessions.list", { limit: 200 });
  const keys = sessions.map(({ key }: { key: string }) => key).toSorted();
  const builds = await get("api/builds");
  const office = await get("api/office");
  const artifacts = await Promise.all(
    office.artifacts.map(async ({ artifact_id: id }: { artifact_id: string }) => [
      id,
      await get(`api/artifacts/${id}`),
    ]),
  );
  return {
    agents: await peer.ask("agents.list", {}),
    sessions: sessions.toSorted(byKey).map(withoutNow),
    histories: await ask(peer, "chat.history", keys, (sessionKey) => ({ sessionKey, limit: PAGE })),
    usage: await peer.ask("sessions.usage", EVER).then(({ totals }) => totals),
    approvals: await peer.ask("exec.approval.list", {}),
    questions: await peer.ask("question.list", {}),
    polls: await ask(peer, "poll.get", pollIds, (pollId) => ({ pollId })),
    devices: await peer.ask("device.pair.list", {}),
    nodes: await peer.ask("node.list", {}).then(({ nodes }) => nodes),
    pairedNodes: await peer.ask("node.pair.list", {}),
    builds,
    buildEvents: await Promise.all(
      builds.builds.map(async ({ id }: { id: string }) => [id, await get(`api/builds/${id}`)]),
    ),
    office: {
      projects: office.projects,
      tasks: office.tasks,
      artifacts: office.artifacts,
      // Those that were made are shown for a while.
      decisions: office.decisions.filter(({ status }: Json) => status === "open"),
      agents: office.agents.map(({ agent_id, name, role }: Json) => ({ agent_id, name, role })),
    },
    artifacts,
    timeline: await get(`api/world/events?after=0&limit=${PAGE}&chat=1`).then((page) =>
      page.messages.map(({ id, payload }: Json) => ({ id, payload })),
    ),
    signals: await get(`api/signals?limit=${PAGE}`).then((page) => page.signals),
    visitors: await get("api/signals/visitors").then(({ visitors }) => visitors.map(withoutNow)),
  };
}

async function ask(
  peer: Connected,
  method: string,
  names: readonly string[],
  paramsOf: (name: string) => object,
): Promise<Json> {
  const answers: Json[] = [];
  for (const name of names) answers.push([name, await peer.ask(method, paramsOf(name))]);
  return answers;
}

/** Every entry, as its text in the file. */
export function readEntries(file: string): readonly Json[] {
  using db = new DatabaseSync(file, { readOnly: true });
  return db.prepare("select seq, stream, type, at, data from entries order by seq").all();
}

const byKey = (one: { key: string }, other: { key: string }): number =>
  one.key < other.key ? -1 : 1;

/** Ages are of the moment they are asked at. */
function withoutNow({ ageMs: _ageMs, ...row }: Record<string, unknown>): Record<string, unknown> {
  return row;
}
