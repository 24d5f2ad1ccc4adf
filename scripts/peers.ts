/**
 * The programs the conformance tests run: real clients from npm, each in a folder of its own outside
 * our dependency tree, because they are large, pin what we do not, and are no part of the product.
 *
 *   ATRIUM_PEERS   folders (separated as in PATH) whose node_modules may already hold a peer
 *   ATRIUM_CACHE   where peers are installed otherwise (default: ~/.cache/atrium-conformance)
 *
 * A peer is `test/conformance/peers/<name>.json`, a package.json with one exact dependency. It is
 * installed beside its place and moved there whole, so a folder that exists is complete.
 */
import { spawn } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";

export interface Peer {
  /** As npm would call it: openclaw@2026.9.6. */
  readonly id: string;
  /** The folder of the package itself, or undefined when it is not installed. */
  readonly folder: string | undefined;
}

/** A package.json, ours or an installed one. */
interface Manifest {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

export interface Surroundings {
  /** The folder with a manifest for each peer. */
  readonly manifests: string;
  readonly env: NodeJS.ProcessEnv;
}

const HERE: Surroundings = {
  manifests: join(import.meta.dirname, "../test/conformance/peers"),
  env: process.env,
};
const INSTALL_LIMIT_MS = 10 * 60_000;
const NPM = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
const NPM_PATIENCE = ["--fetch-retries=2", "--fetch-retry-mintimeout=500"];

export function peerNames(): string[] {
  return readdirSync(HERE.manifests).map((file) => file.replace(/\.json$/, ""));
}

export function findPeer(name: string, given: Partial<Surroundings> = {}): Peer {
  const around = { ...HERE, ...given };
  const { dependencies = {} } = readManifest(manifestOf(name, around));
  const [[dependency, version] = [name, ""]] = Object.entries(dependencies);
  const elsewhere = (around.env["ATRIUM_PEERS"] ?? "").split(delimiter);
  const places = [...elsewhere, placeOf(name, around)];
  const folder = places
    .filter((place) => place !== "")
    .map((place) => join(place, "node_modules", dependency))
    .find((place) => versionIn(place) === version);
  return { id: `${dependency}@${version}`, folder };
}

/** Installs it unless it is there; resolves with why it cannot be had, or undefined. */
export async function installPeer(
  name: string,
  given: Partial<Surroundings> = {},
): Promise<string | undefined> {
  const around = { ...HERE, ...given };
  const { id, folder } = findPeer(name, around);
  if (folder !== undefined) return undefined;
  const place = placeOf(name, around);
  mkdirSync(dirname(place), { recursive: true });
  using _lock = await takeLock(`${place}.lock`);
  if (findPeer(name, around).folder !== undefined) return undefined;

  process.stderr.write(`Installing ${id} for the conformance tests (${place}).\n`);
  const unfinished = `${place}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished);
  copyFileSync(manifestOf(name, around), join(unfinished, "package.json"));
  const problem = await runNpm(unfinished, around.env);
  if (problem === undefined) {
    rmSync(place, { recursive: true, force: true });
    renameSync(unfinished, place);
    return undefined;
  }
  rmSync(unfinished, { recursive: true, force: true });
  return `${id} could not be installed: ${problem}`;
}

async function runNpm(cwd: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  // The peer refuses Node versions that npm itself may be running on; ours is one it takes.
  const path = `${dirname(process.execPath)}${delimiter}${env["PATH"] ?? ""}`;
  const child = spawn("npm", [...NPM, ...NPM_PATIENCE, `--prefix=${cwd}`], {
    cwd,
    env: { ...withoutNpm(env), PATH: path },
    stdio: ["ignore", "ignore", "pipe"],
    timeout: INSTALL_LIMIT_MS,
  });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
  const code = await new Promise<number | string | null>((resolve) => {
    child.once("error", (error) => resolve(error.message)).once("close", resolve);
  });
  return code === 0 ? undefined : `npm ended with ${code}\n${output.trim()}`;
}

/** What `npm run` tells its children would send this npm back to our own folder. */
function withoutNpm(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^npm_/i.test(name)));
}

function placeOf(name: string, { env }: Surroundings): string {
  const base = env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  return join(env["ATRIUM_CACHE"] ?? join(base, "atrium-conformance"), name);
}

function manifestOf(name: string, { manifests }: Surroundings): string {
  return join(manifests, `${name}.json`);
}

function versionIn(folder: string): string | undefined {
  try {
    return readManifest(join(folder, "package.json")).version;
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

function readManifest(file: string): Manifest {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- npm wrote it, or will read it
  return JSON.parse(readFileSync(file, "utf8")) as Manifest;
}

/** Spares a second install. When two slip through after a crash, each still installs beside the place. */
async function takeLock(file: string): Promise<Disposable> {
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: "wx" });
      return { [Symbol.dispose]: () => rmSync(file, { force: true }) };
    } catch (error) {
      if (!isCode(error, "EEXIST")) throw error;
    }
    if (!isHeld(file)) rmSync(file, { force: true });
    await setTimeout(200);
  }
}

function isHeld(file: string): boolean {
  try {
    return process.kill(Number(readFileSync(file, "utf8")), 0);
  } catch (error) {
    return isCode(error, "EPERM");
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
