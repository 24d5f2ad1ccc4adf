/** An office with a repository of a person, who has work in it that is not committed, and agents that change files. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteLog, type Entry } from "@atrium/log";
import {
  contentsOf,
  git,
  makeRepository,
  write,
} from "../../apps/server/src/workspaces/testing/user-repository.ts";
import { openTestAtrium, type TestAtrium, type TestOptions } from "./atrium.ts";
import type { Behavior } from "./model-server/behavior.ts";
import type { ModelRequest } from "./model-server/model-server.ts";
import { enterWorld, type WorldPeer } from "./world-peer.ts";

export interface ShopSettings {
  readonly runtimes?: Readonly<Record<string, object>>;
  /** One task for each, in order; the front desk, who plans, is not among them. */
  readonly agents: readonly { readonly id: string; readonly runtime: string }[];
  /** Run in each new worktree of the shop. */
  readonly setup?: readonly string[];
  /** What every change is checked with. */
  readonly checks?: readonly object[];
  /** How its projects are delivered. */
  readonly deliver?: string;
  /** The plan; left out: a task for each agent. */
  readonly tasks?: readonly object[];
  readonly options?: TestOptions;
}

export interface Shop extends AsyncDisposable {
  readonly home: string;
  readonly repository: string;
  readonly atrium: TestAtrium;
  readonly peer: WorldPeer;
  /** Asks for it and gives each agent its task; resolves with the tasks' ids. */
  request(text: string, repository?: string): Promise<readonly string[]>;
  /** Closes the server and reads what the log has. */
  entries(): Promise<readonly Entry[]>;
}

const FILES = { "README.md": "# Shop\n", "src/price.ts": "export const price = 1;\n" };

/** Staged, changed, new, stashed and ignored: everything a checkout can have that a commit has not. */
export function makeBusyRepository(folder: string): string {
  makeRepository(folder, { ...FILES, ".gitignore": "ignored/\n" });
  write(folder, { "src/price.ts": "export const price = 2;\n" });
  git(folder, "stash", "push", "--quiet");
  write(folder, { "staged.txt": "staged\n", "README.md": "# Shop, changed\n" });
  git(folder, "add", "staged.txt");
  write(folder, { "new.txt": "new\n", "ignored/cache": "cache\n" });
  return folder;
}

export async function openShop({
  runtimes = {},
  agents,
  setup,
  checks,
  deliver,
  tasks,
  options = {},
}: ShopSettings): Promise<Shop> {
  const root = await mkdtemp(join(tmpdir(), "atrium-shop-"));
  const repository = makeBusyRepository(join(root, "repository"));
  const home = join(root, "home");
  const settings = {
    repository,
    runtimes,
    agents,
    ...(setup !== undefined && { setup }),
    ...(checks !== undefined && { checks }),
    ...(deliver !== undefined && { deliver }),
    ...(tasks !== undefined && { tasks }),
  };
  await writeSettings(home, settings);
  const atrium = await openTestAtrium({
    home,
    args: ["--log", "sqlite"],
    env: { PATH: process.env["PATH"] ?? "" },
    ...options,
  });
  const peer = await enterWorld(atrium);
  return {
    home,
    repository,
    atrium,
    peer,
    request: (text, named) => requestWork(peer, agents, text, named),
    async entries() {
      await peer[Symbol.asyncDispose]();
      await atrium.close();
      return readEntries(home);
    },
    async [Symbol.asyncDispose]() {
      await peer[Symbol.asyncDispose]();
      await atrium.close();
      await rm(root, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

/** The plan is a file that the front desk reads out. */
export async function writeSettings(
  home: string,
  settings: ShopSettings & { readonly repository: string },
): Promise<void> {
  const { repository, runtimes = {}, agents, setup, checks, deliver } = settings;
  await mkdir(home, { recursive: true });
  const each = agents.map(({ id }) => ({ title: `Work of ${id}`, description: "", role: id }));
  const { tasks = each } = settings;
  const plan = { title: "Shop", summary: "Each does a part.", tasks };
  await writeFile(join(home, "plan.json"), JSON.stringify(plan));
  const written = {
    office: { walkingSpeedMps: 12, meetingMs: 0 },
    repositories: { shop: { path: repository, setup, checks, deliver } },
    runtimes: {
      planner: { type: "command", command: ["/bin/cat", join(home, "plan.json")] },
      ...runtimes,
    },
    agents: [
      { id: "agent_bd", name: "BD", role: "front desk", runtime: "planner" },
      ...agents.map((agent) => ({ name: agent.id, role: agent.id, ...agent })),
    ],
  };
  await writeFile(join(home, "atrium.config.json"), JSON.stringify(written));
}

export async function requestWork(
  peer: WorldPeer,
  agents: ShopSettings["agents"],
  text: string,
  repository?: string,
): Promise<readonly string[]> {
  const planned = peer.next(({ payload: { name } }) => name === "tasks_created");
  const finished = peer.next(({ payload: { name } }) => name === "kickoff_finished");
  await peer.ask("submit_request", { text, ...(repository !== undefined && { repository }) });
  const { payload } = await planned;
  await finished;
  const ids = payload.tasks.map(({ task_id }: { task_id: string }) => task_id) as string[];
  await Promise.all(
    ids.map((task_id, n) => peer.ask("assign_task", { task_id, agent_id: agents[n]?.id })),
  );
  return ids;
}

export async function readEntries(home: string): Promise<readonly Entry[]> {
  await using log = await openSqliteLog({ file: join(home, "atrium.db"), durability: "full" });
  return await Array.fromAsync(log.read());
}

/** The newest version of what was delivered. */
export async function readArtifact(
  { url, token }: Pick<TestAtrium, "url" | "token">,
  artifactId: string,
): Promise<string> {
  const answer = await fetch(new URL(`/api/artifacts/${artifactId}/latest`, url), {
    headers: { authorization: `Bearer ${token}` },
  });
  assert.equal(answer.status, 200);
  return answer.text();
}

/** Where the git of Atrium is. */
export function storeOf({ home }: Pick<Shop, "home">, repositoryId: string): string {
  return join(home, "workshop/stores", `${repositoryId}.git`);
}

/** Calls these tools, one after the other, and ends. */
export function works(...calls: readonly (readonly [name: string, input: object])[]) {
  return ({ body }: ModelRequest): Behavior => {
    const results = body.messages.filter(({ role }: { role: string }) => role === "tool").length;
    const [name, input] = calls[results] ?? [];
    if (name === undefined) return { type: "answer", chunks: ["Made."] };
    return { type: "answer", toolCalls: [{ name, input }] };
  };
}

export const modelOn = (baseUrl: string): object => ({
  type: "model",
  provider: "openai-compatible",
  baseUrl,
  model: "m",
});

export { contentsOf, git };
