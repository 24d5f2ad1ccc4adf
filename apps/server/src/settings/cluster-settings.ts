/**
 * Where a log that several nodes write is found: the rows of the settings table, and what they mean together. Every
 * sentence names the setting and what to write instead; no sentence repeats a password.
 */
import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";
import { Type } from "@atrium/schema";
import { ConfigError } from "../platform/config-error.ts";
import { setting, type Rows } from "./setting.ts";

const textOf = (description: string) => Type.String({ minLength: 1, description });

/** Why settings of the log need a restart. */
export const LOG = "the log is opened with it";

export const CLUSTER = {
  logStream: setting({
    schema: textOf("Name of the JetStream stream; one for each installation of Atrium."),
    default: "atrium",
    flag: "--log-stream NAME",
    env: "ATRIUM_LOG_STREAM",
    help: "its stream at the servers",
    page: "cluster.md",
    restart: LOG,
  }),
  logCredentials: setting({
    schema: textOf(
      "File with the account at the log's servers: a .creds file, or JSON with user and password, or with token.",
    ),
    defaultText: "none",
    flag: "--log-credentials FILE",
    env: "ATRIUM_LOG_CREDENTIALS",
    help: "account at the servers",
    page: "cluster.md",
    restart: LOG,
  }),
  logCa: setting({
    schema: textOf("File with the certificates that prove who the log's servers are."),
    defaultText: "the system's",
    flag: "--log-ca FILE",
    env: "ATRIUM_LOG_CA",
    help: "who may be the servers",
    page: "cluster.md",
    restart: LOG,
  }),
  logCert: setting({
    schema: textOf("File with this node's own certificate for the log's servers."),
    defaultText: "none",
    flag: "--log-cert FILE",
    env: "ATRIUM_LOG_CERT",
    help: "this node's certificate",
    page: "cluster.md",
    restart: LOG,
  }),
  logKey: setting({
    schema: textOf("File with the key of `logCert`."),
    defaultText: "none",
    flag: "--log-key FILE",
    env: "ATRIUM_LOG_KEY",
    help: "and its key",
    page: "cluster.md",
    restart: LOG,
  }),
  logMonitor: setting({
    schema: textOf(
      "Monitoring addresses of the log's servers, such as http://a:8222,http://b:8222: where Atrium sees how they store.",
    ),
    defaultText: "none",
    flag: "--log-monitor URLS",
    env: "ATRIUM_LOG_MONITOR",
    help: "their monitoring addresses",
    page: "cluster.md",
    restart: LOG,
  }),
  logUnsafe: setting({
    schema: Type.Boolean({
      description: "Accepts servers that may lose what they have acknowledged.",
    }),
    default: false,
    flag: "--log-unsafe",
    env: "ATRIUM_LOG_UNSAFE",
    help: "accept unsafe servers",
    page: "cluster.md",
    restart: LOG,
  }),
  node: setting({
    schema: Type.String({
      pattern: "^[A-Za-z0-9_-]{1,64}$",
      description: "Name of this node among the others: letters, digits, - and _, at most 64.",
    }),
    defaultText: "host name and an id kept in home",
    flag: "--node NAME",
    env: "ATRIUM_NODE",
    help: "this node's name",
    isPublic: true,
    page: "cluster.md",
    restart: "the other nodes know it by that name",
  }),
  shared: setting({
    schema: textOf(
      "Folder that all nodes see: contents of files, work of agents, and the secrets.",
    ),
    defaultText: "home",
    flag: "--shared FOLDER",
    env: "ATRIUM_SHARED",
    help: "folder that all nodes see",
    isPublic: true,
    page: "cluster.md",
    restart: "everything that is open is in it",
  }),
} satisfies Rows;

/** A log at NATS servers, as `openNatsLog` wants it. */
export interface NatsSettings {
  /** `host:port` each. */
  readonly servers: readonly string[];
  readonly stream: string;
  readonly credentialsFile?: string;
  /** Present when connections must be encrypted. */
  readonly tls?: {
    readonly caFile?: string;
    readonly certFile?: string;
    readonly keyFile?: string;
  };
  readonly monitors: readonly string[];
  readonly isUnsafe: boolean;
}

export interface LogSettings {
  readonly log: string;
  readonly logStream: string;
  readonly logUnsafe: boolean;
  readonly logCredentials?: string;
  readonly logCa?: string;
  readonly logCert?: string;
  readonly logKey?: string;
  readonly logMonitor?: string;
}

const DEFAULT_PORT = "4222";
const SCHEME = /^(nats|tls):\/\//;
const STREAM_NAME = /^[A-Za-z0-9_-]{1,64}$/;
const FILE_KEYS = ["logCredentials", "logCa", "logCert", "logKey"] as const;
const NATS_ONLY = [...FILE_KEYS, "logMonitor"] as const;

/** Undefined when this machine keeps the log by itself. */
export function natsSettingsOf(settings: LogSettings, cwd: string): NatsSettings | undefined {
  const { log, logStream: stream, logUnsafe: isUnsafe, logMonitor } = settings;
  if (!SCHEME.test(log)) {
    checkOwnEngine(settings);
    return undefined;
  }
  const { scheme, servers } = readServers(log);
  if (!STREAM_NAME.test(stream)) {
    throw new ConfigError("logStream: use letters, digits, - and _, at most 64 of them");
  }
  const [credentialsFile, caFile, certFile, keyFile] = FILE_KEYS.map((key) =>
    readableFile(key, settings[key], cwd),
  );
  const files = {
    ...(caFile !== undefined && { caFile }),
    ...(certFile !== undefined && { certFile }),
    ...(keyFile !== undefined && { keyFile }),
  };
  if (scheme === "nats" && Object.keys(files).length > 0) {
    throw new ConfigError(
      "logCa, logCert and logKey are for encrypted connections; write the addresses in log as tls://",
    );
  }
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new ConfigError("logCert and logKey belong together; give both or none");
  }
  return {
    servers,
    stream,
    ...(credentialsFile !== undefined && { credentialsFile }),
    ...(scheme === "tls" && { tls: files }),
    monitors: logMonitor === undefined ? [] : readMonitors(logMonitor),
    isUnsafe,
  };
}

function checkOwnEngine(settings: LogSettings): void {
  const { log } = settings;
  if (log !== "sqlite" && log !== "memory") {
    // Not repeated whole: what was meant as an address may have a password in it.
    throw new ConfigError(
      `log: ${log.includes("@") ? "that" : JSON.stringify(log)} is no place for a log; use sqlite, memory, or servers such as nats://a:4222,b:4222,c:4222`,
    );
  }
  const stray = NATS_ONLY.find((key) => settings[key] !== undefined);
  const problem =
    stray ??
    (settings.logUnsafe
      ? "logUnsafe"
      : settings.logStream !== CLUSTER.logStream.default && "logStream");
  if (problem === false) return;
  throw new ConfigError(
    `${problem} is about servers of the log, and log is ${log}; leave it out, or set log to nats://…`,
  );
}

/** `nats://a:4222,b,c`: the first says the scheme, the others may repeat it. */
function readServers(log: string): { scheme: "nats" | "tls"; servers: readonly string[] } {
  const scheme = log.startsWith("tls:") ? "tls" : "nats";
  const servers = log.split(",").map((item, at) => {
    const text = item.trim();
    const other = /^([a-z+.-]+):\/\//i.exec(text)?.[1];
    if (other !== undefined && other !== scheme) {
      throw new ConfigError(
        `log: server ${at + 1} begins with ${other}://, the first with ${scheme}://; use one for all`,
      );
    }
    return readServer(other === undefined ? `${scheme}://${text}` : text, at + 1);
  });
  return { scheme, servers };
}

function readServer(text: string, which: number): string {
  const url = text.includes("@") ? undefined : URL.parse(text);
  if (url === undefined) {
    throw new ConfigError(
      `log: server ${which} has an account in its address, which everyone on this machine could read; put it into a file and name that with logCredentials (--log-credentials FILE)`,
    );
  }
  const isPlain =
    url !== null && /^\/?$/.test(url.pathname) && url.search === "" && url.hash === "";
  if (!isPlain || url.hostname === "") {
    throw new ConfigError(`log: ${text} is no address of a server; write nats://HOST:PORT`);
  }
  return `${url.hostname}:${url.port === "" ? DEFAULT_PORT : url.port}`;
}

function readMonitors(text: string): readonly string[] {
  return text.split(",").map((item) => {
    const url = URL.parse(item.trim());
    const isHttp = url?.protocol === "http:" || url?.protocol === "https:";
    if (url === null || !isHttp) {
      throw new ConfigError(
        `logMonitor: ${JSON.stringify(item.trim())} is no address; write http://HOST:8222, with commas between several`,
      );
    }
    if (url.username !== "" || url.password !== "") {
      throw new ConfigError(
        "logMonitor: leave user and password out; NATS has none at its monitoring port",
      );
    }
    return url.origin;
  });
}

function readableFile(key: string, given: string | undefined, cwd: string): string | undefined {
  if (given === undefined) return undefined;
  const file = resolve(cwd, given);
  try {
    accessSync(file, constants.R_OK);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError(`${key}: cannot read ${file}: ${why}`, { cause });
  }
  if (!statSync(file).isFile()) throw new ConfigError(`${key}: ${file} is no file`);
  return file;
}
