/** What this browser remembers, and how the server is set. */
import type { ReactNode } from "react";
import { useTexts } from "../../app/app.ts";
import { useSettings } from "../../ui/agents/use-settings.ts";
import { BrowserLogins } from "./browser-logins.tsx";
import { CrewCard } from "./crew/crew-card.tsx";
import { KeysCard } from "./editor/keys-card.tsx";
import { SettingsEditor } from "./editor/settings-editor.tsx";
import { LocalSettings } from "./local-settings.tsx";
import { ServerSide } from "./server-side.tsx";
import { StandingPermissions } from "./standing-permissions.tsx";
import { RepositoriesCard } from "./workshop/repositories-card.tsx";
import { SandboxCard } from "./workshop/sandbox-card.tsx";

export function SettingsPage(): ReactNode {
  const { pageNames } = useTexts();
  const state = useSettings();
  const hash = state.settings?.ok === true ? state.settings.value.hash : "";
  return (
    <div className="settings-page">
      <h1>{pageNames.settings}</h1>
      <LocalSettings />
      <div className="settings-column">
        <CrewCard state={state} />
        <RepositoriesCard />
        <SandboxCard />
        <BrowserLogins />
        <StandingPermissions />
        <ServerSide hash={hash} />
        <KeysCard state={state} />
        <SettingsEditor state={state} />
      </div>
    </div>
  );
}
