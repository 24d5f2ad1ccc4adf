/** What a repository brings for whoever works in it. One that was added while the server runs becomes a setting by it. */
import type { ReactNode } from "react";
import { useTexts } from "../../../app/app.ts";
import type { SettingsView } from "../../../ui/agents/settings-http.ts";
import type { SettingsState } from "../../../ui/agents/use-settings.ts";
import type { Repository } from "../../../ui/repositories/repositories-http.ts";
import { BroughtEditor } from "../brought/brought-editor.tsx";
import { broughtByRepository, membersWithout } from "../brought/brought.ts";

interface RepositoryBroughtProps {
  readonly repository: Repository;
  readonly settings: SettingsView;
  readonly change: SettingsState["change"];
  readonly onChange: () => Promise<void>;
}

export function RepositoryBrought(props: RepositoryBroughtProps): ReactNode {
  const { repository, settings, change, onChange } = props;
  const { brought: words } = useTexts();
  const { id, origin } = repository;
  const brought = broughtByRepository(settings, id);
  const isAdded = origin === "added";
  const send = async (changed: object): Promise<string | undefined> => {
    const row = isAdded ? { ...detailsOf(repository), ...changed } : changed;
    const why = await change({ repositories: { [id]: row } });
    if (why === undefined && isAdded) await onChange();
    return why;
  };
  const without = [
    ["mcpServers", words.serversNotFor],
    ["skills", words.skillsNotFor],
  ] as const;
  const notFor = without.flatMap(([kind, say]) => {
    const names = membersWithout(settings, kind);
    return names.length === 0 ? [] : [say(names.join(", "))];
  });
  const hint = [words.ofRepository, ...(isAdded ? [words.becomesSetting] : []), ...notFor].join(
    " ",
  );
  return <BroughtEditor about={id} {...{ hint, brought }} change={send} />;
}

/** As the settings have them. */
function detailsOf({ path, base, setup, checks, deliver }: Repository): object {
  return {
    path,
    ...(base !== undefined && { base }),
    ...(setup !== undefined && { setup }),
    ...(checks !== undefined && { checks }),
    ...(deliver !== undefined && { deliver }),
  };
}
