/** The MCP servers and skills of one agent or repository: listed, added, changed and removed. */
import { useState, type ReactNode } from "react";
import { useApp, useTexts } from "../../../app/app.ts";
import { Button } from "../../../ui/controls.tsx";
import { serverPatch, type Brought } from "./brought.ts";
import { ServerForm } from "./server-form.tsx";
import { SkillForm } from "./skill-form.tsx";

export interface BroughtEditorProps {
  /** Of what it is, for people and for programs that read the page to them. */
  readonly about: string;
  readonly hint: string;
  readonly brought: Brought;
  /** Why there can be none; left out: there can. */
  readonly noServers?: string | undefined;
  readonly noSkills?: string | undefined;
  /** Resolves with why not; undefined when it is so. */
  readonly change: (brought: object) => Promise<string | undefined>;
}

const NEW_SERVER = "";

export function BroughtEditor(props: BroughtEditorProps): ReactNode {
  const { about, hint, brought } = props;
  const { brought: words } = useTexts();
  const { mcpServers, skills } = brought;
  return (
    <details className="brought" aria-label={`${words.title}: ${about}`}>
      <summary>
        {words.title}
        <small className="hint">{words.summary(mcpServers.length, skills.length)}</small>
      </summary>
      <p className="hint">{hint}</p>
      <Servers {...props} />
      <Skills {...props} />
    </details>
  );
}

function Servers({ brought, noServers, change }: BroughtEditorProps): ReactNode {
  const { brought: words } = useTexts();
  const { notices } = useApp();
  const [editing, setEditing] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const send = async (name: string, server: object | null, said: string): Promise<void> => {
    const why = await change({ mcpServers: { [name]: server } });
    setProblem(why);
    if (why !== undefined) return;
    setEditing(undefined);
    notices.say(said);
  };
  const form = (name?: string): ReactNode => (
    <ServerForm
      name={name}
      problem={problem}
      onSave={(fields) => send(fields.name, serverPatch(fields), words.saved(fields.name))}
      onCancel={() => {
        setEditing(undefined);
        setProblem(undefined);
      }}
    />
  );
  return (
    <section>
      <h4>{words.servers}</h4>
      {noServers !== undefined && <p className="hint">{noServers}</p>}
      {brought.mcpServers.length === 0 && <p>{words.serversNone}</p>}
      <ul className="plain-list">
        {brought.mcpServers.map((name) => (
          <li key={name}>
            {editing === name ? (
              form(name)
            ) : (
              <div className="brought-row">
                <strong dir="auto">{name}</strong>
                <Button
                  look="small quiet"
                  aria-label={words.serverChangeOne(name)}
                  onClick={() => setEditing(name)}
                >
                  {words.serverChange}
                </Button>
                <Button
                  look="small quiet danger"
                  aria-label={words.removeOne(name)}
                  onClick={() => void send(name, null, words.removed(name))}
                >
                  {words.remove}
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      {editing === undefined && problem !== undefined && (
        <p className="connect-problem" role="alert" dir="auto">
          {problem}
        </p>
      )}
      {editing === NEW_SERVER
        ? form()
        : noServers === undefined && (
            <Button look="small" onClick={() => setEditing(NEW_SERVER)}>
              {words.serverAdd}
            </Button>
          )}
    </section>
  );
}

function Skills({ brought, noSkills, change }: BroughtEditorProps): ReactNode {
  const { brought: words } = useTexts();
  const { notices } = useApp();
  const [problem, setProblem] = useState<string>();
  const send = async (skills: readonly string[], said: string): Promise<boolean> => {
    const why = await change({ skills: skills.length === 0 ? null : skills });
    setProblem(why);
    if (why === undefined) notices.say(said);
    return why === undefined;
  };
  return (
    <section>
      <h4>{words.skills}</h4>
      {noSkills !== undefined && <p className="hint">{noSkills}</p>}
      {brought.skills.length === 0 && <p>{words.skillsNone}</p>}
      <ul className="plain-list">
        {brought.skills.map((folder) => (
          <li key={folder} className="brought-row">
            <code className="as-written" dir="ltr">
              {folder}
            </code>
            <Button
              look="small quiet danger"
              aria-label={words.removeOne(folder)}
              onClick={() =>
                void send(
                  brought.skills.filter((each) => each !== folder),
                  words.removed(folder),
                )
              }
            >
              {words.remove}
            </Button>
          </li>
        ))}
      </ul>
      {noSkills === undefined && (
        <SkillForm
          problem={problem}
          onAdd={(folder) => send([...brought.skills, folder], words.saved(folder))}
        />
      )}
    </section>
  );
}
