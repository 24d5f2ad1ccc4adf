/**
 * The files in which Codex keeps, beside its settings, what of a plugin's hooks was trusted: each has the hash that the
 * plugin's tables in the settings have, and outlives the plugin.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ifThere, readText } from "./settings-file.ts";
import { trustedContents } from "./trusted-hooks.ts";

const FOLDER = ".hook-trust";

/** From its settings folder. To be asked before the tables are removed. */
export function findTrustFiles(folder: string, plugin: string): readonly string[] {
  const hashes = trustedContents(readText(join(folder, "config.toml")) ?? "", plugin);
  const files = (ifThere(() => readdirSync(join(folder, FOLDER))) ?? []).map((name) =>
    join(FOLDER, name),
  );
  return files.filter((file) => hashes.has(readText(join(folder, file))?.trim() ?? ""));
}
