/** The files of a project, task or build, as the server tells of them over plain HTTP. */
import { CliError, messageOf } from "../../command-line/cli-error.ts";
import type { ServerPlace } from "../../server/find-server.ts";
import { isRecord } from "../../server/settings.ts";
import { plainLine } from "../../terminal/plain-text.ts";

export interface ListedEntry {
  readonly name: string;
  readonly type: string;
  readonly bytes?: number;
}

export interface ListedFolder {
  readonly workspace: string;
  readonly seq: number;
  readonly entries: readonly ListedEntry[];
  readonly has_more: boolean;
}

export interface ChangedFile {
  readonly path: string;
  readonly from: string | null;
  readonly how: string;
  readonly added: number | null;
  readonly removed: number | null;
}

export interface Difference {
  readonly workspace: string;
  readonly files?: readonly ChangedFile[];
  readonly has_more?: boolean;
  readonly patch?: string;
}

type Query = Readonly<Record<string, string | undefined>>;

const TIMEOUT_MS = 60_000;
const MAX_SHOWN = 300;
const TASK = /^task_([a-z0-9_]+)_\d+$/;

/** A task is asked for by its project. */
export function pathOf(id: string, what: "files" | "file" | "diff", query: Query): string {
  const [, ofTask] = TASK.exec(id) ?? [];
  const project = ofTask === undefined ? id : `proj_${ofTask}`;
  const kind = project.startsWith("proj_") ? "projects" : "builds";
  const task = ofTask === undefined ? query["task"] : id;
  const wanted = Object.entries({ ...query, task });
  const given = wanted.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return `/api/${kind}/${encodeURIComponent(project)}/${what}?${new URLSearchParams(given).toString()}`;
}

/** Undefined: there is no folder of that path. */
export async function findFolder(
  place: ServerPlace,
  path: string,
): Promise<ListedFolder | undefined> {
  const response = await request(place, path);
  const problem = response.ok ? undefined : await problemIn(place, response);
  if (problem?.code === "file.missing") return undefined;
  if (problem !== undefined) throw new CliError(problem.message);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own server's, of one version with us
  return (await response.json()) as ListedFolder;
}

export async function readFile(place: ServerPlace, path: string): Promise<Buffer> {
  return Buffer.from(await (await requestWell(place, path)).arrayBuffer());
}

export async function readDifference(place: ServerPlace, path: string): Promise<Difference> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own server's, of one version with us
  return (await readJson(place, path)) as Difference;
}

export async function readJson(place: ServerPlace, path: string): Promise<unknown> {
  return (await requestWell(place, path)).json();
}

async function requestWell(place: ServerPlace, path: string): Promise<Response> {
  const response = await request(place, path);
  if (response.ok) return response;
  const { message } = await problemIn(place, response);
  throw new CliError(message);
}

async function request({ url, token }: ServerPlace, path: string): Promise<Response> {
  try {
    return await fetch(new URL(path, url), {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (cause) {
    throw new CliError(`${url} did not answer: ${messageOf(cause)}.`, {}, cause);
  }
}

interface Problem {
  readonly code: string;
  readonly message: string;
}

async function problemIn({ url }: ServerPlace, response: Response): Promise<Problem> {
  const unknown = { code: "", message: `${url} answered ${response.status}.` };
  const body: unknown = await response.json().catch(() => undefined);
  if (!isRecord(body) || !isRecord(body["error"])) return unknown;
  const { code, message } = body["error"];
  if (typeof code !== "string" || typeof message !== "string") return unknown;
  return { code, message: plainLine(message, MAX_SHOWN) };
}
