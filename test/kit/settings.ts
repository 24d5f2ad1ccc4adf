/** A server whose settings file a person wrote, and its settings over plain HTTP. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { TestAtrium } from "./atrium.ts";
import type { Answered } from "./builds.ts";

export const fileOf = ({ home }: Pick<TestAtrium, "home">): string =>
  join(home, "atrium.config.json");

export const readFileOf = (atrium: Pick<TestAtrium, "home">): Promise<string> =>
  readFile(fileOf(atrium), "utf8");

export async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

export async function askSettings(
  { url, token }: Pick<TestAtrium, "url" | "token">,
  verb: "GET" | "PATCH" | "PUT" | "DELETE",
  path = "",
  body?: object,
): Promise<Answered> {
  const response = await fetch(`${url}api/settings${path}`, {
    method: verb,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

export const patchSettings = (
  atrium: Pick<TestAtrium, "url" | "token">,
  patch: object,
  more: object = {},
): Promise<Answered> => askSettings(atrium, "PATCH", "", { patch, ...more });
