/** A shop whose agent is a model that makes the calls it is told to, and what HTTP says of its files. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { openModelServer, type ModelServer } from "./model-server/model-server.ts";
import { openShop, type Shop } from "./workshop.ts";

export type Call = readonly [name: string, input: object];

/** Makes each call, one after the other. */
export function calling(calls: readonly Call[]): Promise<ModelServer> {
  return openModelServer(({ body }) => {
    const results = body.messages.filter(({ role }: { role: string }) => role === "tool").length;
    const next = calls[results];
    if (next === undefined) return { type: "answer", chunks: ["Done."] };
    const [name, input] = next;
    return { type: "answer", toolCalls: [{ name, input }] };
  });
}

export const write = (path: string, content: string): Call => ["write", { path, content }];

export function openModelShop(model: ModelServer): Promise<Shop> {
  const { baseUrl } = model;
  return openShop({
    runtimes: { local: { type: "model", provider: "openai-compatible", baseUrl, model: "m" } },
    agents: [{ id: "agent_eng_1", runtime: "local" }],
  });
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever came
  readonly json: any;
}

interface Door {
  readonly atrium: { readonly url: string; readonly token: string };
}

export function get(
  door: Door,
  path: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return ask(door, path, {}, headers);
}

export function post(
  door: Door,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const json = { "content-type": "application/json", ...headers };
  return ask(door, path, { method: "POST", body: JSON.stringify(body) }, json);
}

async function ask(
  { atrium }: Door,
  path: string,
  init: RequestInit,
  more: Readonly<Record<string, string>>,
): Promise<Answer> {
  const headers = { ...more, authorization: `Bearer ${atrium.token}` };
  const answer = await fetch(new URL(path, atrium.url), { ...init, headers });
  const text = await answer.text();
  const isJson = answer.headers.get("content-type")?.startsWith("application/json") === true;
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  };
}

/** Where each tool's result is in the log. */
export async function returnsOf(door: Door): Promise<readonly number[]> {
  const { json } = await get(door, "/api/world/events?calls=1&limit=1000");
  return json.messages
    .map(({ payload }: { payload: { name: string; seq: number } }) => payload)
    .filter(({ name }: { name: string }) => name === "tool_returned")
    .map(({ seq }: { seq: number }) => seq);
}

/** Where a task is worked on. */
export function worktreeOf({ home }: Pick<Shop, "home">, workspaceId: string): string {
  const root = join(home, "workshop", "worktrees");
  const [name = ""] = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.split("/").at(-1)?.startsWith(`${workspaceId}-`) === true,
  );
  return join(root, name);
}
