/**
 * An opencode as its plugin sees it: the plugin that `atrium join` installs, loaded from a file, gets events and calls
 * back. What opencode was told is kept.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { opencodePlugin } from "../../apps/cli/src/commands/join/opencode-plugin.ts";

type Fields = Readonly<Record<string, unknown>>;
type PluginHook = (input: unknown, output?: unknown) => Promise<void>;

export interface OpencodeProcess extends AsyncDisposable {
  /** What the plugin asked of opencode, in order. */
  readonly calls: readonly Fields[];
  event(type: string, properties: Fields): Promise<void>;
  hook(name: string, input: Fields, output?: Fields): Promise<void>;
  /** Resolves once the plugin has made that many calls. */
  called(count: number): Promise<void>;
}

/** `knowsQuestions`: what its plugins are given can answer them. */
export async function startOpencode(home: string, knowsQuestions = true): Promise<OpencodeProcess> {
  const folder = await mkdtemp(join(tmpdir(), "atrium-opencode-"));
  const file = join(folder, "atrium.ts");
  await writeFile(file, opencodePlugin(home));
  const calls: Fields[] = [];
  const watchers = new Set<() => void>();
  const take = async (call: Fields): Promise<Fields> => {
    calls.push(call);
    for (const watcher of watchers) watcher();
    return {};
  };
  const client = {
    session: { promptAsync: take },
    postSessionIdPermissionsPermissionId: take,
    ...(knowsQuestions && { _client: { post: take } }),
  };
  const { AtriumOffice } = await import(pathToFileURL(file).href);
  const hooks: Readonly<Record<string, PluginHook>> = await AtriumOffice({
    client,
    directory: "/home/ann/shop",
  });
  const opened = new Set<string>();
  return {
    calls,
    async event(type, properties) {
      const { info } = properties as { readonly info?: { readonly id: string } };
      if (type === "session.created" && info !== undefined) opened.add(info.id);
      await hooks["event"]?.({ event: { type, properties } });
    },
    async hook(name, input, output) {
      await hooks[name]?.(input, output);
    },
    called(count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = (): void => {
        if (calls.length >= count) resolve();
      };
      watchers.add(look);
      look();
      return promise.finally(() => watchers.delete(look));
    },
    async [Symbol.asyncDispose]() {
      // Its sessions stop waiting for messages, as they do when its process ends.
      for (const id of opened) await hooks["event"]?.(ended(id));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const ended = (id: string): unknown => ({
  event: { type: "session.deleted", properties: { info: { id } } },
});
