/** A server that is killed while a project waits for people: they are asked again by itself, and the answer takes the work to its end. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startServer, withHome, type ServerProcess } from "../kit/server-process.ts";
import { enterWorld, type WorldMessage } from "../kit/world-peer.ts";

interface Decision {
  readonly decision_id: string;
  readonly project_id: string;
  readonly task_id: string | null;
  readonly status: string;
  readonly kind: string;
  readonly note?: string;
}

interface Waiting {
  readonly name: string;
  readonly request: string;
  readonly kind: string;
  readonly choice: string;
  /** Of the one who plans, and of the one who works. */
  readonly limits?: readonly [object, object];
  readonly budgets?: object;
  /** It is about the project or its plan, before there is anything to assign. */
  readonly isBeforeWork?: true;
  /** It waits for no turn, so it need not be asked anew. */
  readonly stays?: true;
}

const NO_LIMITS = {};
/** One answer is enough: as much again is more than the rest. */
const SMALL = { run: { tokens: 2_000 } };
const LONG = `[[say: Done.]] Write a page about ${"bread and butter, ".repeat(440)}`;
const WAITING: readonly Waiting[] = [
  {
    name: "a question",
    request: "Write a page [[ask: Which? | A | B]]",
    kind: "question",
    choice: "A",
  },
  {
    name: "a permission",
    request: "Write a page [[approve: Bash npm test]]",
    kind: "permission",
    choice: "Allow",
  },
  {
    name: "a task's budget",
    request: "Write a page [[tokens: 2500]]",
    kind: "budget",
    choice: "Continue",
    limits: [NO_LIMITS, SMALL],
  },
  {
    name: "a plan's budget",
    request: LONG,
    kind: "budget",
    choice: "Continue",
    limits: [SMALL, NO_LIMITS],
    isBeforeWork: true,
  },
  {
    name: "a project's budget",
    request: "Write a page [[say: done]]",
    kind: "budget",
    choice: "Continue",
    budgets: { project: { tokens: 1 } },
    isBeforeWork: true,
    stays: true,
  },
];

async function openDecisions({ url, token }: ServerProcess): Promise<readonly Decision[]> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(new URL("/api/office", url), { headers });
  const { decisions } = (await response.json()) as { decisions: readonly Decision[] };
  return decisions.filter(({ status }) => status === "open");
}

function settle(home: string, { limits = [NO_LIMITS, NO_LIMITS], budgets }: Waiting): void {
  const agents = [
    { id: "agent_bd", name: "BD", role: "front desk", runtime: "fast", limits: limits[0] },
    // A writer runs no commands, for which people would be asked where there is no sandbox.
    { id: "agent_writer_1", name: "Writer", role: "writer", runtime: "fast", limits: limits[1] },
  ];
  const config = {
    runtimes: { fast: { type: "rehearsal", pace: 0 } },
    agents,
    office: { walkingSpeedMps: 12, meetingMs: 0 },
    ...(budgets !== undefined && { budgets }),
  };
  writeFileSync(join(home, "atrium.config.json"), JSON.stringify(config));
}

const isAsked = ({ payload }: WorldMessage): boolean => payload.name === "decision_requested";

for (const waiting of WAITING) {
  const { name, request, kind, choice, isBeforeWork = false, stays = false } = waiting;
  test(`[DIR-12] ${name} that was open at kill -9 is asked again by itself, and answering it ends the work`, async () => {
    await withHome(async (home) => {
      settle(home, waiting);
      let before: Decision | undefined;
      {
        await using server = await startServer(home);
        await using peer = await enterWorld(server);
        await peer.ask("submit_request", { text: request });
        if (!isBeforeWork) {
          const { payload } = await peer.event("kickoff_finished");
          await peer.ask("auto_assign", { project_id: payload.project_id });
        }
        await peer.first(isAsked);
        [before] = await openDecisions(server);
        await server.end("SIGKILL");
      }
      assert.equal(before?.kind, kind);
      await using server = await startServer(home);
      await using peer = await enterWorld(server);
      const known = await openDecisions(server);
      const isNew = ({ decision_id }: Decision): boolean =>
        (decision_id === before?.decision_id) === stays;
      let again = known.find(isNew);
      if (again === undefined) {
        await peer.first(isAsked);
        again = (await openDecisions(server)).find(isNew);
      }
      assert.deepEqual(
        [again?.kind, again?.project_id, again?.task_id],
        [kind, before?.project_id, before?.task_id],
      );
      assert.equal((await openDecisions(server)).length, 1, "once");
      const { project_id } = before ?? { project_id: "" };
      await peer.ask("resolve_decision", { decision_id: again?.decision_id, choice });
      if (isBeforeWork) {
        await peer.event("kickoff_finished");
        await peer.ask("auto_assign", { project_id });
      }
      const { payload: finished } = await peer.event("work_finished");
      assert.equal(finished.project_id, project_id);
      await peer.event("artifact_delivered");
    });
  });
}
