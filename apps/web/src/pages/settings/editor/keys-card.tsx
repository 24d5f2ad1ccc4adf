/** Keys of models and programs: which there are and where they come from; keeping one, and forgetting it. */
import { useId, useState, type ReactNode, type SubmitEvent } from "react";
import { useApp, useTexts } from "../../../app/app.ts";
import type { SettingsState } from "../../../ui/agents/use-settings.ts";
import { Button, Field } from "../../../ui/controls.tsx";
import { SureButton } from "../../office/text/sure-button.tsx";

export function KeysCard({ state }: { readonly state: SettingsState }): ReactNode {
  const { settingsEditor: words } = useTexts();
  const { notices } = useApp();
  const [problem, setProblem] = useState("");
  const { settings, http, reload } = state;
  if (settings?.ok !== true) return null;
  const { keys } = settings.value;
  const settle = (answer: { readonly ok: boolean; readonly message?: string }, said: string) => {
    setProblem(answer.ok ? "" : (answer.message ?? ""));
    if (answer.ok) notices.say(said);
    reload();
    return answer.ok;
  };
  const forget = async (name: string): Promise<boolean> =>
    settle(await http.removeKey(name), words.forgotten(name));
  return (
    <section className="settings-card" id="keys">
      <h2>{words.keysTitle}</h2>
      <p className="hint">{words.keysText}</p>
      {keys.length > 0 && (
        <ul className="plain-list">
          {keys.map(({ name, source }) => (
            <li key={name} className="setting-item">
              <strong className="setting-name" dir="ltr">
                {name}
              </strong>
              <span className="hint">{words.keySources[source]}</span>
              {source === "kept" && (
                <SureButton
                  isSmall
                  isDisabled={false}
                  label={words.forgetOne(name)}
                  sureLabel={words.forgetSure(name)}
                  onSure={() => void forget(name)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      <KeyForm
        problem={problem}
        onKeep={async (name, value) => settle(await http.keepKey(name, value), words.kept(name))}
      />
    </section>
  );
}

interface KeyFormProps {
  readonly problem: string;
  /** Resolves with whether it is kept. */
  readonly onKeep: (name: string, value: string) => Promise<boolean>;
}

function KeyForm({ problem, onKeep }: KeyFormProps): ReactNode {
  const { settingsEditor: words } = useTexts();
  const problemId = useId();
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const isKept = await onKeep(name.trim(), value.trim());
    setValue("");
    if (isKept) setName("");
  };
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <div className="connect-terms">
        <Field label={words.keyName}>
          <input
            required
            dir="ltr"
            value={name}
            placeholder="OPENAI_API_KEY"
            maxLength={100}
            autoComplete="off"
            spellCheck={false}
            aria-describedby={problemId}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
        <Field label={words.keyValue}>
          <input
            required
            type="password"
            dir="ltr"
            value={value}
            maxLength={16_384}
            autoComplete="off"
            onChange={({ target }) => setValue(target.value)}
          />
        </Field>
      </div>
      <p id={problemId} className="connect-problem" role="alert" dir="auto">
        {problem}
      </p>
      <div className="row">
        <Button type="submit">{words.keep}</Button>
      </div>
    </form>
  );
}
