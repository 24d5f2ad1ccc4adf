/** A real server whose office is as full and whose timeline is as long as asked for, filled through its public doors. */
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createWorldClient, WorldRefused, type WorldClient } from "@atrium/client";
import { launchAtrium } from "../servers/atrium.ts";

export interface CrowdedOffice extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly agents: number;
  readonly events: number;
  /** Sends so many agents on their way, by giving each a task that is done at once and has to be delivered. */
  sendWalking(count: number): Promise<void>;
}

export interface Crowd {
  readonly agents: number;
  readonly events: number;
}

/** At most so many agents from outside are let in; each that comes after makes the oldest go. */
const VISITORS = 12;
const EVENTS_PER_VISITOR = 2;

export async function openCrowdedOffice(wanted: Crowd): Promise<CrowdedOffice> {
  await using stack = new AsyncDisposableStack();
  const home = stack.use(await mkdtempDisposable(join(tmpdir(), "atrium-bench-")));
  const crew = Array.from({ length: wanted.agents }, (_, at) => memberAt(at));
  const server = stack.use(await launchAtrium({ log: "memory", home: home.path, crew }));
  const address = { url: `http://127.0.0.1:${server.port}`, token: server.token };
  const director = stack.use(
    createWorldClient({
      url: `ws://127.0.0.1:${server.port}/ws/world`,
      client: { name: "bench" },
      token: server.token,
    }),
  );
  let events = 0;
  director.on("event", () => void (events += 1));
  await director.connect();
  while (events < wanted.events) {
    const before = events;
    await comeAndGo(address, `round ${before}`);
    await until(() => events >= before + VISITORS * EVENTS_PER_VISITOR - VISITORS);
  }
  const owned = stack.move();
  return {
    ...address,
    agents: director.snapshot?.agents.length ?? 0,
    get events() {
      return events;
    },
    async sendWalking(count) {
      const planned: string[] = [];
      const tasksIn = (projects: readonly string[]): number =>
        (director.snapshot?.tasks ?? []).filter((task) => projects.includes(task.project_id))
          .length;
      while (tasksIn(planned) < count) planned.push(await plan(director));
      // All at once: whoever is given a task is on the way for a few seconds only.
      for (const project_id of planned) {
        await patiently(() => director.command("auto_assign", { project_id }));
      }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function memberAt(at: number): { id: string; name: string; role: string } {
  return at === 0
    ? { id: "agent_bd", name: "BD", role: "front desk" }
    : { id: `agent_eng_${at}`, name: `Eng ${at}`, role: "engineer" };
}

async function comeAndGo(
  { url, token }: { readonly url: string; readonly token: string },
  round: string,
): Promise<void> {
  const signals = Array.from({ length: VISITORS }, (_, at) => ({
    id: crypto.randomUUID(),
    timestamp: Date.now(),
    source: "bench",
    type: "agent_state_change",
    payload: { agentId: `${round} guest ${at}`, from: "idle", to: "acting" },
  }));
  const answer = await fetch(`${url}/api/signal`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(signals),
  });
  if (!answer.ok) throw new Error(`signals refused: ${await answer.text()}`);
}

/** A request that is planned; resolves with its project once its tasks are known. */
async function plan(director: WorldClient): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const stop = director.on("event", ({ payload }) => {
    if (payload.name === "kickoff_finished") resolve(payload.project_id);
  });
  await patiently(() => director.command("submit_request", { text: "A page for the bench" }));
  const projectId = await promise;
  stop();
  await until(
    () => director.snapshot?.tasks.some((task) => task.project_id === projectId) === true,
  );
  return projectId;
}

/** A person is not let ask for more than so much at once. */
async function patiently(ask: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await ask();
      return;
    } catch (error) {
      if (!(error instanceof WorldRefused) || error.code !== "RATE_LIMITED") throw error;
      await sleep(400);
    }
  }
}

async function until(isSo: () => boolean): Promise<void> {
  for (let waits = 0; !isSo() && waits < 2_000; waits++) {
    await sleep(5);
  }
}
