/**
 * What bubblewrap is told. Everything is refused but what stands here:
 *
 * - no capability, no further user namespace, a uid that is nobody's: without that, a server that runs
 *   as root confines nothing, because a remount inside makes everything writable;
 * - single files of /etc, never the folder: the sandbox's user is the server's user, who may read them;
 * - /proc is read-only: settings of the kernel may be written by whoever is root outside, whatever he is
 *   inside, and one of them names a program that the kernel starts as root;
 * - memory file systems have a size, and the root and /dev are read-only, for they are memory too;
 * - links in the folder are not followed (place.ts), and its `.git` stays as it is.
 *
 * The options are handed over on a descriptor: a command line can be read by everyone, also inside.
 */
import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CommandLimits } from "./limits.ts";
import { isInside, type CheckedCommandPlace, type ShownFolder } from "./place.ts";

export interface SandboxSettings {
  /** Folders that no command may see, whatever else it may. */
  readonly secret: readonly string[];
  /** The Node that runs the server; commands find it after those of the system. */
  readonly node: string;
}

export interface SandboxRequest {
  readonly place: CheckedCommandPlace;
  readonly env: Readonly<Record<string, string>>;
  readonly network: boolean;
  readonly limits: CommandLimits;
}

const USER = "1000";
const HOME = "/tmp/home";
const SYSTEM_PATH = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];
const SYSTEM_FOLDERS = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/** Each is a mount, which takes its time. */
const ETC = ["/etc/ld.so.cache", "/etc/alternatives"];
/** Files of ours, which are one mount together and a link each. */
const OWN_ETC = join(import.meta.dirname, "etc");
const SHOWN_ETC = "/etc/workshop";
const ALWAYS_OWN = ["passwd", "group"];
/** Where there is a network, the system's are shown instead. */
const OWN_WITHOUT_NETWORK = ["hosts", "nsswitch.conf", "ssl/openssl.cnf"];
/** Not /etc/ssl whole: it has a folder of private keys. */
const FOR_NETWORK = [
  ...OWN_WITHOUT_NETWORK.map((name) => `/etc/${name}`),
  "/etc/ssl/certs",
  "/etc/ca-certificates.conf",
  "/etc/pki/tls/certs",
  "/etc/pki/ca-trust/extracted",
  "/etc/crypto-policies",
  "/etc/resolv.conf",
  "/etc/gai.conf",
  "/etc/services",
  "/etc/protocols",
];
const TIME_ZONE = "/etc/localtime";
const SHARED_MEMORY_BYTES = 64 * 1024 * 1024;

const NAMESPACES = [
  ["--unshare-user", "--unshare-all", "--disable-userns", "--cap-drop", "ALL"],
  ["--uid", USER, "--gid", USER, "--hostname", "workshop"],
  ["--die-with-parent", "--new-session", "--clearenv"],
] as const;

/** As bubblewrap reads them: each with a zero byte after it. What the system has is looked up once. */
export function createSandboxOptions(
  settings: SandboxSettings,
): (request: SandboxRequest) => string {
  const looked = new Map<boolean, readonly string[]>();
  return (request) =>
    optionsOf(settings, request, looked.getOrInsertComputed(request.network, systemOptions));
}

function optionsOf(
  settings: SandboxSettings,
  request: SandboxRequest,
  system: readonly string[],
): string {
  const { place, network, limits } = request;
  const { folder, store, hasGit, readable, writable } = place;
  // What is shown in a folder comes after that folder.
  const written = [folder, ...writable.map(({ to }) => to)];
  const isWithin = ({ to }: Required<ShownFolder>): boolean =>
    written.some((each) => isInside(to, each));
  const within = readable.filter(isWithin);
  const beside = readable.filter((shown) => !isWithin(shown));
  const options: readonly (readonly string[])[] = [
    ...NAMESPACES,
    network ? ["--share-net"] : [],
    environmentOptions(settings, request.env),
    system,
    ["--proc", "/proc", "--dev", "/dev"],
    ["--size", String(SHARED_MEMORY_BYTES), "--tmpfs", "/dev/shm"],
    ["--size", String(limits.scratchBytes), "--tmpfs", "/tmp", "--dir", HOME],
    // After /tmp, because Atrium may be installed there.
    nodeOptions(settings.node),
    ...beside.map(show),
    maskOptions(settings.secret, [{ from: "/usr", to: "/usr" }, ...beside]),
    store === null ? [] : show({ from: store, to: store }),
    ["--bind", folder, folder],
    ...writable.map(({ from, to }) => ["--bind", from, to]),
    hasGit ? show({ from: join(folder, ".git"), to: join(folder, ".git") }) : [],
    ...within.map(show),
    ["--remount-ro", "/proc", "--remount-ro", "/dev", "--remount-ro", "/"],
    ["--chdir", folder],
  ];
  return options
    .flat()
    .map((option) => `${option}\0`)
    .join("");
}

function show({ from, to }: Required<ShownFolder>): readonly string[] {
  return ["--ro-bind", from, to];
}

function environmentOptions(
  { node }: SandboxSettings,
  more: Readonly<Record<string, string>>,
): readonly string[] {
  const env = {
    PATH: [...SYSTEM_PATH, dirname(node)].join(":"),
    HOME,
    TMPDIR: "/tmp",
    LANG: "C.UTF-8",
    TERM: "dumb",
    CI: "1",
    ...more,
  };
  return Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value]);
}

function systemOptions(network: boolean): readonly string[] {
  const folders = SYSTEM_FOLDERS.flatMap((folder) => {
    const about = lstatSync(folder, { throwIfNoEntry: false });
    if (about === undefined) return [];
    return about.isSymbolicLink()
      ? ["--symlink", readlinkSync(folder), folder]
      : ["--ro-bind", folder, folder];
  });
  const files = [...ETC, ...(network ? FOR_NETWORK : [])];
  const own = network ? ALWAYS_OWN : [...ALWAYS_OWN, ...OWN_WITHOUT_NETWORK];
  return [
    ...show({ from: "/usr", to: "/usr" }),
    ...folders,
    ...timeZone(),
    ...files.filter((file) => existsSync(file)).flatMap((file) => ["--ro-bind-try", file, file]),
    ...show({ from: OWN_ETC, to: SHOWN_ETC }),
    ...own.flatMap((name) => ["--symlink", join(SHOWN_ETC, name), `/etc/${name}`]),
  ];
}

/** A link into /usr, which is shown; a file of its own would be worth a mount. */
function timeZone(): readonly string[] {
  const about = lstatSync(TIME_ZONE, { throwIfNoEntry: false });
  if (about?.isSymbolicLink() !== true || !existsSync(TIME_ZONE)) return [];
  return ["--symlink", realpathSync(TIME_ZONE), TIME_ZONE];
}

/** A secret folder that would be seen through another is covered with an empty one. */
function maskOptions(
  secret: readonly string[],
  shown: readonly Required<ShownFolder>[],
): readonly string[] {
  return shown.flatMap(({ from, to }) =>
    secret
      .filter((folder) => isInside(folder, from))
      .flatMap((folder) => ["--tmpfs", join(to, folder.slice(from.length))]),
  );
}

/** The program alone, and npm where it came with it; what else is in their folder is not shown. */
function nodeOptions(node: string): readonly string[] {
  if (isInside(node, "/usr")) return [];
  const bin = dirname(node);
  const npm = join(dirname(bin), "lib/node_modules/npm");
  const tools = ["npm", "npx"].flatMap((name) => [
    "--symlink",
    join(npm, `bin/${name}-cli.js`),
    join(bin, name),
  ]);
  return ["--ro-bind", node, node, ...(existsSync(npm) ? ["--ro-bind", npm, npm, ...tools] : [])];
}
