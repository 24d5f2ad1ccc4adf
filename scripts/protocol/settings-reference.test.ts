/** Does the page of settings have all of them? */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SETTINGS, type Flag, type Setting } from "@atrium/server/settings";
import { configArtifact } from "./artifacts.ts";
import { readText } from "./files.ts";
import { renderSettings } from "./settings-reference.ts";

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
}

test("[SERVER-1] the page has every key of the settings file", async () => {
  const page = renderSettings();
  const schema = JSON.parse((await readText(configArtifact.path)) ?? "") as Schema;
  const { limits, office, sightings, budgets: _ofAgents, ...plain } = schema.properties ?? {};
  const keys = [
    ...Object.keys(plain),
    ...Object.keys(limits?.properties ?? {}).map((key) => `limits.${key}`),
    ...Object.keys(office?.properties ?? {}).map((key) => `office.${key}`),
    ...Object.keys(sightings?.properties ?? {}).map((key) => `sightings.${key}`),
    "budgets",
  ];
  assert.ok(keys.length > 50, `${keys.length} keys`);
  for (const key of keys) assert.match(page, new RegExp(`^- \`${RegExp.escape(key)}\``, "m"), key);
});

test("[SERVER-1] every setting is described, and every limit has its default", () => {
  const items = renderSettings()
    .split(/\n(?=- )/)
    .slice(1);
  const bare = items.filter((item) => !/^- `--help`|^- [^:]*`: [^.]/.test(item));
  assert.deepEqual(bare, []);
  const limits = items.filter((item) => /^- `(?:limits|office)\./.test(item));
  assert.ok(limits.length > 30, `${limits.length} limits`);
  for (const item of limits) assert.match(item, /Default:\s+`[\d.]+`/);
});

test("[SERVER-1] [SET-20] the page says of each setting whether it needs a restart, and why", () => {
  const items = renderSettings()
    .split(/\n(?=- )/)
    .map((item) => item.replaceAll(/\s+/g, " "));
  const needy = items.flatMap((item) => /^- `(\w+)`.*Needs a restart: \w+ /.exec(item)?.[1] ?? []);
  const rows = Object.entries<Flag | Setting>(SETTINGS);
  const fixed = rows.flatMap(([key, row]) => ("restart" in row ? [key] : []));
  assert.deepEqual(needy, fixed);
  assert.ok(fixed.includes("port") && !fixed.includes("limits") && !fixed.includes("preview"));
});

test("[SERVER-1] the page has every flag, variable and default, in lines of 100 columns", () => {
  const page = renderSettings();
  const rows: readonly Flag[] = Object.values(SETTINGS);
  for (const { flag, env, default: value } of rows) {
    for (const text of [flag, env]) {
      if (text !== undefined) assert.ok(page.includes(`\`${text}\``), text);
    }
    if (typeof value === "string") assert.ok(page.includes(`Default: \`${value}\``), value);
  }
  assert.match(page, /`limits\.maxPayloadBytes`: [^]*?`26214400` \(25 MiB\)/);
  assert.match(page, /`limits\.turnTimeoutMs`: [^]*?`1800000` \(30 min\)/);
  assert.deepEqual(
    page.split("\n").filter((line) => line.length > 100),
    [],
  );
});
