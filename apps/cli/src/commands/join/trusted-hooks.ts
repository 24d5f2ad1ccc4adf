/**
 * What Codex notes in its settings when its user trusts the plugin's hooks: a table for each, which its own removal of the
 * plugin leaves behind. Pure.
 */
const TABLE = /^\[hooks\.state\."/;
const PARENT = "[hooks.state]";

/** The settings without the tables that name the plugin. */
export function withoutTrustedHooks(settings: string, plugin: string): string {
  const tables = tablesIn(settings);
  const left = tables.filter((table) => !isOf(plugin, table));
  if (left.length === tables.length) return settings;
  // Codex made it for them.
  const isUsed = left.some((table) => TABLE.test(table));
  return left.filter((table) => isUsed || table.trim() !== PARENT).join("");
}

/** The hashes of what was trusted of the plugin. */
export function trustedContents(settings: string, plugin: string): ReadonlySet<string> {
  const own = tablesIn(settings).filter((table) => isOf(plugin, table));
  const hashes = own.map((table) => /^trusted_content_hash = "([^"]+)"/m.exec(table)?.[1] ?? "");
  return new Set(hashes.filter((hash) => hash !== ""));
}

function tablesIn(settings: string): readonly string[] {
  return settings.split(/^(?=\[)/m);
}

function isOf(plugin: string, table: string): boolean {
  return table.startsWith(`[hooks.state."${plugin}:`);
}
