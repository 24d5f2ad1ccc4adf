/** An office beside which a person's folders stand, and its repositories over plain HTTP. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestAtrium, type TestAtrium, type TestOptions } from "./atrium.ts";
import type { Answered } from "./builds.ts";

export interface RepositoryHouse extends AsyncDisposable {
  readonly atrium: TestAtrium;
  /** Where people's folders are; the server's own is elsewhere. */
  readonly folder: string;
  ask(verb: "GET" | "POST" | "DELETE", path?: string, body?: object): Promise<Answered>;
  /** Closes the server and opens it again on the same home. */
  restart(): Promise<void>;
}

export async function openRepositoryHouse(
  settings: object = {},
  options: Omit<TestOptions, "home"> = {},
): Promise<RepositoryHouse> {
  const folder = await mkdtemp(join(tmpdir(), "atrium-people-"));
  const home = join(folder, ".home");
  await mkdir(home);
  await writeFile(join(home, "atrium.config.json"), JSON.stringify(settings));
  const env = { PATH: process.env["PATH"] ?? "" };
  const open = (): Promise<TestAtrium> =>
    openTestAtrium({ home, env, ...options, args: ["--log", "sqlite", ...(options.args ?? [])] });
  let atrium = await open();
  return {
    get atrium() {
      return atrium;
    },
    folder,
    async ask(verb, path = "", body) {
      const headers = {
        authorization: `Bearer ${atrium.token}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      };
      const response = await fetch(`${atrium.url}api/repositories${path}`, {
        method: verb,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    },
    async restart() {
      await atrium.close();
      atrium = await open();
    },
    async [Symbol.asyncDispose]() {
      await atrium.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}
