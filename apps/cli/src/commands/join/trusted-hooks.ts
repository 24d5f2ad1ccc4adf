/**
 * What Codex notes in its settings when its user trusts the plugin's hooks: a table for each, which its own removal of the
 * plugin leaves behind. Pure.
 */
const TABLE = /^\[hooks\.state\."/;
const PARENT = "[hooks.state]";

/** The settings without the tables that name the plugin. */
export function withoutTrustedHooks(settings: string, plugin: string): string {
  const tables = settings.split(/^(?=\[)/m);
  const own = `[hooks.state."${plugin}:`;
  const left = tables.filter((table) => !table.startsWith(own));
  if (left.length === tables.length) return settings;
  // Codex made it for them.
  const isUsed = left.some((table) => TABLE.test(table));
  return left.filter((table) => isUsed || table.trim() !== PARENT).join("");
}
