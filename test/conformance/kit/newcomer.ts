/**
 * A machine on which nothing of ours has run: a home, Claude Code on the PATH with a key, and `npm start` as a person
 * types it. The model is a server on loopback.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openModelServer } from "../../kit/model-server/model-server.ts";
import { gone, startedWith } from "../../kit/processes.ts";
import { askedIn, USAGE, type Asked } from "./claude-stage.ts";

export interface Newcomer extends AsyncDisposable {
  /** As `npm start` prints it, with the token. */
  readonly address: string;
  /** Of the server. */
  readonly home: string;
  /** What pays for Claude Code. */
  readonly key: string;
  /** What the model answers. */
  readonly greeting: string;
  readonly asked: readonly Asked[];
}

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const KEY = "sk-ant-key-of-the-newcomer";
const GREETING = "Hello! Claude Code is at its desk and ready for work.";
const OPENED = /^Atrium is open: (?<address>\S+)$/m;
/** Where it does not reach for the network: its own settings, since it is started without any of ours. */
const OFFLINE = {
  DISABLE_TELEMETRY: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_ERROR_REPORTING: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
};

export async function openNewcomer(claude: string): Promise<Newcomer> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "atrium-newcomer-"));
  opened.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));
  const programs = join(folder, "programs");
  const settings = join(folder, ".claude");
  for (const each of [programs, settings]) await mkdir(each);
  await symlink(claude, join(programs, "claude"));
  await writeFile(join(settings, "settings.json"), JSON.stringify({ env: OFFLINE }));
  const asked: Asked[] = [];
  const model = opened.use(
    await openModelServer(({ body }) => {
      asked.push(askedIn(body));
      return { type: "answer", chunks: [GREETING], usage: USAGE };
    }),
  );
  const home = join(folder, ".atrium");
  const env = {
    // What a machine has, and nothing of whoever runs the tests.
    PATH: [programs, dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(
      delimiter,
    ),
    HOME: folder,
    LANG: "C.UTF-8",
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_BASE_URL: model.baseUrl.replace(/\/v1$/, ""),
    npm_config_update_notifier: "false",
  };
  opened.defer(async () => {
    const pids = startedWith(`HOME=${folder}`);
    for (const pid of pids) endAtOnce(pid);
    await gone(pids);
  });
  const child = spawn("npm", ["start", "--", "--port", "0"], { cwd: ROOT, env, stdio: "pipe" });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  }
  let address: string | undefined;
  while (address === undefined) {
    const next = await Promise.race([
      once(child.stdout, "data").then(() => "more"),
      once(child, "exit").then(() => "ended"),
    ]);
    address = OPENED.exec(output)?.groups?.["address"];
    if (address === undefined && next === "ended") throw new Error(`npm start ended: ${output}`);
  }
  const held = opened.move();
  return {
    address,
    home,
    key: KEY,
    greeting: GREETING,
    asked,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

function endAtOnce(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself in the meantime.
  }
}
