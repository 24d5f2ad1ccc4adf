/**
 * What does it cost to open and remove a worktree, and to record a moment, beside plain git?
 *
 * Both work on the same files on the same disk. Plain git is `worktree add`, `worktree remove` and
 * `status`, each started as one process as we start ours, with nothing around it. A moment has to find
 * what changed, as `status` does; it also keeps it: objects and ref are on disk when it is told.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWorkspaces } from "@atrium/server/workspaces";
import { interleave, type Lane } from "../measure/interleave.ts";
import { compare, type Finding, type Suite } from "../report/finding.ts";

type Spaces = ReturnType<typeof openWorkspaces>;

/** Files, how often a worktree is opened, and how often a moment is recorded. */
const SIZES = [
  [20, 7, 21],
  [5_000, 5, 11],
  [50_000, 3, 7],
] as const;
const FILES_PER_FOLDER = 50;
const FILE = "0123456789 abcdefghij klmnopqrst\n".repeat(60);
const GOAL = "≤ 1.5";

const timers = {
  after: (ms: number, run: () => void) => {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};

export const worktrees: Suite = {
  name: "worktrees",
  question: "What do worktrees and moments cost beside plain git?",
  async run() {
    const findings: Finding[] = [];
    for (const [files, opens, moments] of SIZES) {
      await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-bench-"));
      const repository = join(folder.path, "repository");
      await makeRepository(repository, files);
      const root = join(folder.path, "workshop");
      await using spaces = openWorkspaces({ root, path: process.env["PATH"] ?? "", timers });
      accepted(await spaces.openRepository({ id: "bench", path: repository }));
      findings.push(...(await compareOpening(spaces, repository, files, opens)));
      findings.push(...(await compareMoments(spaces, repository, files, moments)));
    }
    return {
      findings,
      notes: [
        "worktrees: a moment is recorded after one file has changed, unless a row says otherwise",
      ],
    };
  },
};

async function compareOpening(
  spaces: Spaces,
  repository: string,
  files: number,
  repetitions: number,
): Promise<readonly Finding[]> {
  let count = 0;
  const plainFolder = (): string => join(repository, `../plain-${count}`);
  const open = async (): Promise<void> => {
    const workspaceId = `opened-${++count}`;
    accepted(await spaces.openWorktree({ repositoryId: "bench", workspaceId, at: 0 }));
  };
  const lanes: readonly Lane<readonly [number, number]>[] = [
    {
      name: "ours",
      measure: async () => [
        await timeOf(open),
        await timeOf(async () => accepted(await spaces.removeWorktree(`opened-${count}`))),
      ],
    },
    {
      name: "git",
      measure: async () => [
        await timeOf(() => git(repository, "worktree", "add", "--detach", plainFolder())),
        await timeOf(() => git(repository, "worktree", "remove", "--force", plainFolder())),
      ],
    },
  ];
  const samples = await interleave(lanes, { repetitions, warmUp: files < 50_000 });
  const about = { measure: "ms", ours: "ours", against: "git" };
  const of = `${files.toLocaleString("en")} files`;
  return [
    compare(samples, { ...about, what: `open a worktree, ${of}`, value: ([opened]) => opened }),
    compare(samples, { ...about, what: `remove a worktree, ${of}`, value: ([, gone]) => gone }),
  ];
}

async function compareMoments(
  spaces: Spaces,
  repository: string,
  files: number,
  repetitions: number,
): Promise<readonly Finding[]> {
  const request = { repositoryId: "bench", workspaceId: "moments", at: 0 };
  const { folder } = accepted(await spaces.openWorktree(request));
  const plain = join(repository, "../plain");
  await git(repository, "worktree", "add", "--detach", plain);
  let change = 0;
  const changed = async (where: string): Promise<void> => {
    await writeFile(join(where, "d0/f0.txt"), `change ${++change}\n${FILE}`);
  };
  const record = async (paths?: readonly string[]): Promise<void> => {
    accepted(await spaces.recordMoment("moments", { label: "bench", at: 0, paths }));
  };
  const lanes: readonly Lane<number>[] = [
    {
      name: "git status",
      async measure() {
        await changed(plain);
        return timeOf(() => git(plain, "status", "--porcelain"));
      },
    },
    {
      name: "one file changed",
      async measure() {
        await changed(folder);
        return timeOf(record);
      },
    },
    { name: "nothing changed", measure: () => timeOf(record) },
    {
      name: "known path",
      async measure() {
        await changed(folder);
        return timeOf(() => record(["d0/f0.txt"]));
      },
    },
  ];
  const samples = await interleave(lanes, { repetitions, warmUp: true });
  const of = `${files.toLocaleString("en")} files`;
  return ["one file changed", "nothing changed", "known path"].map((name) =>
    compare(samples, {
      what: `record a moment, ${name}, ${of}`,
      measure: "ms",
      ours: name,
      against: "git status",
      value: (ms) => ms,
      goal: GOAL,
    }),
  );
}

async function makeRepository(folder: string, files: number): Promise<void> {
  await mkdir(folder);
  await git(folder, "init", "--quiet");
  for (let at = 0; at < files; at += FILES_PER_FOLDER) {
    const inner = join(folder, `d${at / FILES_PER_FOLDER}`);
    await mkdir(inner);
    const count = Math.min(FILES_PER_FOLDER, files - at);
    await Promise.all(
      Array.from({ length: count }, (_, index) =>
        writeFile(join(inner, `f${index}.txt`), `${at + index}\n${FILE}`),
      ),
    );
  }
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "Files");
}

async function git(cwd: string, ...args: readonly string[]): Promise<void> {
  const who = { NAME: "Bench", EMAIL: "bench@example.org" };
  const child = spawn("git", args, {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: "/nonexistent",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: who.NAME,
      GIT_AUTHOR_EMAIL: who.EMAIL,
      GIT_COMMITTER_NAME: who.NAME,
      GIT_COMMITTER_EMAIL: who.EMAIL,
    },
  });
  let complaint = "";
  child.stdout.resume();
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaint += text));
  await once(child, "close");
  if (child.exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${complaint}`);
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

type Answer<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false };

function accepted<Value>(outcome: Answer<Value>): Value {
  if (!outcome.ok) throw new Error(`refused: ${JSON.stringify(outcome)}`);
  return outcome.value;
}
