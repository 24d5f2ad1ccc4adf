/** Who works here: each member with what drives it, its desk and its look; adding, changing and removing one. */
import { useState, type ReactNode } from "react";
import { useApp, useTexts } from "../../../app/app.ts";
import { ConnectPanel } from "../../../ui/agents/connect-panel.tsx";
import {
  membersIn,
  runtimesIn,
  type Member,
  type SettingsView,
} from "../../../ui/agents/settings-http.ts";
import type { SettingsState } from "../../../ui/agents/use-settings.ts";
import { Button } from "../../../ui/controls.tsx";
import { Swatch } from "../../office/text/swatch.tsx";
import { BroughtEditor } from "../brought/brought-editor.tsx";
import { broughtByAgent, canAgentTake, type BroughtKind } from "../brought/brought.ts";
import { MemberForm, type MemberPatch } from "./member-form.tsx";
import { SightedPrograms } from "./sighted-programs.tsx";

/** Whose form is open: a member's, that of a new one, or none. */
type Editing = string | undefined;
const SOMEONE_NEW = "";

export function CrewCard({ state }: { readonly state: SettingsState }): ReactNode {
  const { agents: words } = useTexts();
  const { notices } = useApp();
  const { settings, change, reload } = state;
  const [editing, setWho] = useState<Editing>();
  const [problem, setProblem] = useState<string>();
  const setEditing = (who: Editing): void => {
    setWho(who);
    setProblem(undefined);
  };
  const send = async (id: string, member: MemberPatch | null, said: string): Promise<void> => {
    const why = await change({ agents: { [id]: member } });
    setProblem(why);
    if (why !== undefined) return;
    setEditing(undefined);
    notices.say(said);
  };
  if (settings === undefined) return null;
  return (
    <section className="settings-card" id="agents">
      <h2>{words.crewTitle}</h2>
      <p className="hint">{words.crewText}</p>
      {!settings.ok && <p className="hint">{words.notRead(settings.message)}</p>}
      {settings.ok && (
        <>
          <ul className="plain-list crew-list">
            {membersIn(settings.value).map((member) => (
              <li key={member.id}>
                {editing === member.id ? (
                  <>
                    <MemberForm
                      member={member}
                      runtimes={runtimesIn(settings.value)}
                      problem={problem}
                      onSave={(patch) => send(member.id, patch, words.saved(patch.name))}
                      onRemove={() => send(member.id, null, words.removed(member.name))}
                      onCancel={() => setEditing(undefined)}
                    />
                    <MemberBrought {...{ member, change }} settings={settings.value} />
                  </>
                ) : (
                  <MemberRow member={member} onEdit={() => setEditing(member.id)} />
                )}
              </li>
            ))}
          </ul>
          {editing === SOMEONE_NEW ? (
            <MemberForm
              runtimes={runtimesIn(settings.value)}
              problem={problem}
              onSave={(patch, id) => send(`agent_${id}`, patch, words.added(patch.name))}
              onCancel={() => setEditing(undefined)}
            />
          ) : (
            <Button onClick={() => setEditing(SOMEONE_NEW)}>{words.add}</Button>
          )}
        </>
      )}
      {settings.ok && <SightedPrograms settings={settings.value} change={change} />}
      <details className="crew-connect">
        <summary>{words.connectTitle}</summary>
        <ConnectPanel onConnected={reload} />
      </details>
    </section>
  );
}

interface MemberBroughtProps {
  readonly member: Member;
  readonly settings: SettingsView;
  readonly change: SettingsState["change"];
}

function MemberBrought({ member, settings, change }: MemberBroughtProps): ReactNode {
  const { brought: words } = useTexts();
  const { id, name } = member;
  const canTake = (kind: BroughtKind): boolean => canAgentTake(settings, id, kind);
  return (
    <BroughtEditor
      about={name}
      hint={words.ofAgent}
      brought={broughtByAgent(settings, id)}
      noServers={canTake("mcpServers") ? undefined : words.takesNoServers}
      noSkills={canTake("skills") ? undefined : words.takesNoSkills}
      change={(brought) => change({ agents: { [id]: brought } })}
    />
  );
}

interface MemberRowProps {
  readonly member: Member;
  readonly onEdit: () => void;
}

function MemberRow({ member, onEdit }: MemberRowProps): ReactNode {
  const { agents: words } = useTexts();
  const { id, name, role, runtime, desk, look } = member;
  const place = desk === undefined ? undefined : words.deskNumber(desk);
  return (
    <div className="crew-member">
      <Swatch agentId={id} look={look} />
      <span className="crew-name">
        <strong dir="auto">{name}</strong>
        <small className="hint" dir="auto">
          {[role, runtime, place].filter((each) => each !== undefined).join(" · ")}
        </small>
      </span>
      <Button look="small quiet" aria-label={words.editOne(name)} onClick={onEdit}>
        {words.edit}
      </Button>
    </div>
  );
}
