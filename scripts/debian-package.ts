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

interface PackageFile {
  readonly name: string;
  /** SHA-256 of the package, by the names that Node has for processors. */
  readonly sha256: Readonly<Record<string, string>>;
}

export interface DebianPackage extends PackageFile {
  readonly suite: string;
  readonly version: string;
  /** Where the program is in it. */
  readonly program: string;
  /** Packages of libraries that it needs and machines rarely have. They are unpacked beside it. */
  readonly libraries?: readonly PackageFile[];
}

/** Starts a program that has libraries of its own. */
const STARTER = "start";
const APT_LIMIT_MS = 5 * 60_000;
const APT_FILES = "/etc/apt";
const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";
const ARCHIVE = /^(?!\s*#).*?(?<address>https?:\/\/[^\s\]]+\/debian)\/?(?=\s|$)/m;

/** Where the program of an unpacked package is, whether or not it has been unpacked. */
export function unpackedProgram(wanted: DebianPackage, into: string): string {
  const { name, version, program, libraries } = wanted;
  return join(into, `${name}-${version}`, libraries === undefined ? program : STARTER);
}

/** Returns why it cannot be had, or undefined once it is there. */
export function unpackPackage(wanted: DebianPackage, into: string): string | undefined {
  const place = join(into, `${wanted.name}-${wanted.version}`);
  if (existsSync(place)) return undefined;
  const archive = findArchive(readAptSources());
  if (archive === undefined) return "apt on this machine reads no Debian archive";
  mkdirSync(into, { recursive: true });
  const scratch = mkdtempSync(join(into, "unpack-"));
  try {
    const unpacked = join(scratch, "unpacked");
    const packages = [wanted, ...(wanted.libraries ?? [])];
    const problem =
      download(packages, { archive, scratch, suite: wanted.suite }) ??
      firstProblem(packages, (each) => unpackOne(each, scratch, unpacked));
    if (problem !== undefined) return problem;
    if (wanted.libraries !== undefined) writeStarter(unpacked, wanted.program);
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

function firstProblem(
  packages: readonly PackageFile[],
  act: (each: PackageFile) => string | undefined,
): string | undefined {
  for (const each of packages) {
    const problem = act(each);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function unpackOne(
  { name, sha256 }: PackageFile,
  scratch: string,
  into: string,
): string | undefined {
  const wanted = sha256[process.arch];
  if (wanted === undefined) return `no package ${name} is known for ${process.arch}`;
  const file = readdirSync(scratch).find((entry) => entry.startsWith(`${name}_`));
  if (file === undefined) return `apt-get downloaded no ${name}`;
  const path = join(scratch, file);
  const found = createHash("sha256").update(readFileSync(path)).digest("hex");
  if (found !== wanted) return `the package ${name} has the hash ${found}, not ${wanted}`;
  return run("dpkg", ["-x", path, into], scratch);
}

function writeStarter(folder: string, program: string): void {
  const text = `#!/bin/sh
here=$(dirname "$0")
LD_LIBRARY_PATH=$(echo "$here"/usr/lib/*-linux-gnu) exec "$here/${program}" "$@"
`;
  writeFileSync(join(folder, STARTER), text, { mode: 0o755 });
}

interface Download {
  readonly archive: string;
  readonly suite: string;
  readonly scratch: string;
}

function download(
  packages: readonly PackageFile[],
  { archive, suite, scratch }: Download,
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
  return apt("update") ?? apt("download", ...packages.map(({ name }) => name));
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
