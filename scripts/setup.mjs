/**
 * Installs what is missing, builds what is stale (build.mjs), then gets out of the way.
 *
 * Runs before anything is installed, so it is plain JavaScript for the oldest Node we accept and
 * imports nothing but Node. When the stamp in node_modules matches, it does nothing else: every
 * `npm start` and `npm test` passes through here.
 *
 *   stamp matches -> build.mjs
 *   else lock -> stamp matches now? -> done
 *                  else npm install -> the project's own Node answers -> stamp
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const OLDEST_NODE = [20, 19];
const root = fileURLToPath(new URL("..", import.meta.url));
const stampFile = join(root, "node_modules/.atrium-setup");
const cache = join(root, ".cache");
const lock = join(cache, "setup.lock");

requireNode();
if (!isInstalled()) {
  await takeLock();
  if (!isInstalled()) install();
}
await import("./build.mjs");

function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  fail(
    `Atrium needs Node ${OLDEST_NODE.join(".")} or newer to install; this is ${process.version}.`,
  );
}

function isInstalled() {
  return existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp();
}

/** What an install depends on. A changed script or description in a package.json is no reason to install. */
function stamp() {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}\n`);
  hash.update(readFileSync(join(root, "package-lock.json")));
  for (const folder of ["", ...workspaces()]) {
    const manifest = readManifest(folder);
    hash.update(
      JSON.stringify([
        folder,
        manifest.name,
        manifest.version,
        manifest.bin,
        manifest.dependencies,
        manifest.devDependencies,
        manifest.optionalDependencies,
        manifest.peerDependencies,
        manifest.overrides,
        manifest.allowScripts,
      ]),
    );
  }
  return hash.digest("hex");
}

function workspaces() {
  const folders = readManifest("").workspaces.flatMap((pattern) => {
    if (!pattern.endsWith("/*")) return [pattern];
    const parent = pattern.slice(0, -2);
    if (!existsSync(join(root, parent))) return [];
    return readdirSync(join(root, parent)).map((name) => `${parent}/${name}`);
  });
  return folders.filter((folder) => existsSync(join(root, folder, "package.json"))).toSorted();
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
}

/**
 * One install at a time. The lock is a folder holding a file named after its owner, moved into
 * place whole: a rename onto a folder fails unless that folder is empty. Whoever finds a dead owner
 * removes that owner's file by name and tries again, so no one can remove a living owner's lock.
 */
async function takeLock() {
  mkdirSync(cache, { recursive: true });
  let waitingFor;
  while (!triesLock()) {
    const owner = lockOwner();
    if (owner === undefined) continue;
    if (!isAlive(owner)) {
      removeIfThere(join(lock, owner));
      continue;
    }
    if (owner !== waitingFor) say(`Waiting for the install of process ${owner}.`);
    waitingFor = owner;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  process.once("exit", () => rmSync(lock, { recursive: true, force: true }));
}

function triesLock() {
  const mine = mkdtempSync(join(cache, "setup-"));
  writeFileSync(join(mine, String(process.pid)), "");
  try {
    renameSync(mine, lock);
    return true;
  } catch (error) {
    rmSync(mine, { recursive: true });
    if (["ENOTEMPTY", "EEXIST", "EPERM"].includes(error.code)) return false;
    throw error;
  }
}

function lockOwner() {
  try {
    return readdirSync(lock)[0];
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function removeIfThere(path) {
  try {
    unlinkSync(path);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
}

function install() {
  say("Installing dependencies.");
  const expected = stamp();
  // Not `npm ci`: it refuses a lock file that lacks the optional packages of some other platform.
  // Without saving, install keeps to the locked versions too and writes neither file.
  const args = [
    "install",
    "--no-save",
    "--include=optional",
    "--no-fund",
    "--no-audit",
    "--loglevel=error",
  ];
  const npm = spawnSync("npm", args, {
    cwd: root,
    env: { ...process.env, PATH: pathWithoutOurNode() },
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === "win32",
  });
  if (npm.error) fail(`npm could not be started: ${npm.error.message}`);
  if (npm.status !== 0) {
    fail(`${npm.stdout}${npm.stderr}\nnpm install failed; nothing was started.`);
  }
  requireOurNode();
  writeFileSync(stampFile, expected);
}

/** An install may replace the Node that `npm run` put on the PATH, so it runs on the user's. */
function pathWithoutOurNode() {
  const entries = (process.env.PATH ?? "").split(delimiter);
  return entries.filter((entry) => !/node_modules[\\/]\.bin[\\/]?$/.test(entry)).join(delimiter);
}

/** npm passes over an optional package that it cannot fetch, and one that is for another machine. */
function requireOurNode() {
  const binaries = readManifest("").optionalDependencies;
  const wanted = Object.values(binaries)[0];
  const ours = spawnSync(join(root, "node_modules/.bin/node"), ["--version"], { encoding: "utf8" });
  if (ours.stdout?.trim() === `v${wanted}`) return;
  fail(
    [
      `Node ${wanted}, which runs Atrium, is not in node_modules; this machine is ${process.platform} ${process.arch}.`,
      `It comes as one of ${Object.keys(binaries).join(", ")}.`,
      "If one of them is for this machine, run this command again: its download failed.",
      "If npm is set to omit optional packages, allow them: npm install --include=optional",
    ].join("\n"),
  );
}

function say(line) {
  process.stderr.write(`${line}\n`);
}

function fail(message) {
  say(message);
  process.exit(1);
}
