/**
 * A program out of a Debian package that is unpacked into a folder of its own: nothing is installed, no service
 * starts, and nobody need be root. The package comes with apt from the archive that this machine uses already, read
 * with a configuration of its own, so the machine's lists stay as they are; a pinned hash says which bytes it must be.
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
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

export interface DebianPackage {
  readonly name: string;
  readonly suite: string;
  readonly version: string;
  /** SHA-256 of the package, by the names that Node has for processors. */
  readonly sha256: Readonly<Record<string, string>>;
  /** Where the program is in it. */
  readonly program: string;
}

const APT_LIMIT_MS = 5 * 60_000;
const APT_FILES = "/etc/apt";
const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";
const ARCHIVE = /^(?!\s*#).*?(?<address>https?:\/\/[^\s\]]+\/debian)\/?(?=\s|$)/m;

/** Where the program of an unpacked package is, whether or not it has been unpacked. */
export function unpackedProgram({ name, version, program }: DebianPackage, into: string): string {
  return join(into, `${name}-${version}`, program);
}

/** Returns why it cannot be had, or undefined once it is there. */
export function unpackPackage(wanted: DebianPackage, into: string): string | undefined {
  const place = join(into, `${wanted.name}-${wanted.version}`);
  if (existsSync(place)) return undefined;
  const sha256 = wanted.sha256[process.arch];
  if (sha256 === undefined) return `no package is known for ${process.arch}`;
  const archive = findArchive(readAptSources());
  if (archive === undefined) return "apt on this machine reads no Debian archive";
  mkdirSync(into, { recursive: true });
  const scratch = mkdtempSync(join(into, "unpack-"));
  try {
    const file = join(scratch, "package.deb");
    const problem = download(wanted, { archive, scratch, file });
    if (problem !== undefined) return problem;
    const found = createHash("sha256").update(readFileSync(file)).digest("hex");
    if (found !== sha256) return `the package has the hash ${found}, not ${sha256}`;
    const unpacked = join(scratch, "unpacked");
    const failure = run("dpkg", ["-x", file, unpacked], scratch);
    if (failure !== undefined) return failure;
    // Whole or not at all; another process may have been faster.
    if (!existsSync(place)) renameSync(unpacked, place);
    return undefined;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The address of the Debian archive in the text of apt's sources, in either of their formats. */
export function findArchive(sources: string): string | undefined {
  return ARCHIVE.exec(sources)?.groups?.["address"];
}

function readAptSources(): string {
  const parts = join(APT_FILES, "sources.list.d");
  const files = existsSync(parts) ? readdirSync(parts).map((name) => join(parts, name)) : [];
  return [join(APT_FILES, "sources.list"), ...files]
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
}

interface Download {
  readonly archive: string;
  readonly scratch: string;
  readonly file: string;
}

function download(
  { name, suite }: DebianPackage,
  { archive, scratch, file }: Download,
): string | undefined {
  const lists = join(scratch, "lists");
  const cache = join(scratch, "cache");
  const sources = join(scratch, "sources.list");
  const config = join(scratch, "apt.conf");
  for (const folder of [lists, join(cache, "archives")]) {
    mkdirSync(join(folder, "partial"), { recursive: true });
  }
  writeFileSync(sources, `deb [signed-by=${KEYRING}] ${archive} ${suite} main\n`);
  const settings = {
    "Dir::Etc::sourcelist": sources,
    "Dir::Etc::sourceparts": "-",
    "Dir::State::lists": lists,
    "Dir::Cache": cache,
    "Acquire::Languages": "none",
    // The folder is ours alone, so apt's own user could not write there.
    "APT::Sandbox::User": "root",
  };
  const lines = Object.entries(settings).map(([key, value]) => `${key} "${value}";\n`);
  writeFileSync(config, lines.join(""));
  const apt = (...args: readonly string[]): string | undefined =>
    run("apt-get", ["--quiet", "--config-file", config, ...args], scratch);
  const problem = apt("update") ?? apt("download", name);
  if (problem !== undefined) return problem;
  const found = readdirSync(scratch).find((entry) => entry.endsWith(".deb"));
  if (found === undefined) return "apt-get downloaded nothing";
  renameSync(join(scratch, found), file);
  return undefined;
}

function run(command: string, args: readonly string[], cwd: string): string | undefined {
  const { status, error, stderr } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
    timeout: APT_LIMIT_MS,
  });
  return status === 0 ? undefined : `${command}: ${error?.message ?? stderr.trim()}`;
}
