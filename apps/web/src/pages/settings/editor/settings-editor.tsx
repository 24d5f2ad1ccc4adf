/** Every setting of the server, to be found by its name, read, and changed where it stands. */
import { useId, useMemo, useState, type ReactNode } from "react";
import { useTexts } from "../../../app/app.ts";
import { createFetchJson, fieldOf } from "../../../app/server/fetch-json.ts";
import { fetchOwn } from "../../../app/server/own-server.ts";
import type { SettingsState } from "../../../ui/agents/use-settings.ts";
import { Field } from "../../../ui/controls.tsx";
import { useRead } from "../../../ui/use-read.ts";
import { SettingItem } from "./setting-item.tsx";
import { isFound, readSettingRows, type SettingRow } from "./setting-rows.ts";

export function SettingsEditor({ state }: { readonly state: SettingsState }): ReactNode {
  const { settingsEditor: words } = useTexts();
  const hint = useId();
  const [query, setQuery] = useState("");
  const ask = useMemo(() => createFetchJson(fetchOwn), []);
  const schema = useRead("schema", () => ask<unknown>("GET", "/api/settings/schema"));
  const { settings, change } = state;
  if (settings?.ok !== true || schema?.ok !== true) return null;
  const { values, fixed, path } = settings.value;
  const rows = readSettingRows({ schema: fieldOf(schema.value, "schema"), values, fixed });
  const found = rows.filter((row) => isFound(row, query));
  const isSearching = query.trim() !== "";
  return (
    <section className="settings-card" id="all-settings">
      <h2>{words.title}</h2>
      <p className="hint">{words.text(path)}</p>
      <Field label={words.search}>
        <input
          type="search"
          value={query}
          autoComplete="off"
          aria-describedby={hint}
          onChange={({ target }) => setQuery(target.value)}
        />
      </Field>
      <small id={hint} className="hint" role="status">
        {isSearching ? words.found(found.length) : words.searchHint}
      </small>
      <div className="setting-groups">
        {[...Map.groupBy(found, ({ group }) => group)].map(([group, members]) => (
          <SettingGroup
            key={`${group} ${isSearching}`}
            name={group === "" ? words.general : group}
            isOpen={isSearching}
            {...{ members, change }}
          />
        ))}
      </div>
    </section>
  );
}

interface SettingGroupProps extends Pick<SettingsState, "change"> {
  readonly name: string;
  readonly isOpen: boolean;
  readonly members: readonly SettingRow[];
}

function SettingGroup({ name, isOpen, members, change }: SettingGroupProps): ReactNode {
  return (
    <details className="setting-group" open={isOpen}>
      <summary>
        <span dir="auto">{name}</span> <small className="hint">{members.length}</small>
      </summary>
      <ul className="plain-list">
        {members.map((row) => (
          <SettingItem key={row.path.join(".")} {...{ row, change }} />
        ))}
      </ul>
    </details>
  );
}
