/** One setting: its name, what it is for, its value, and a form where it can be changed. */
import { useId, useState, type ReactNode, type SubmitEvent } from "react";
import { useApp, useAppearance, useTexts } from "../../../app/app.ts";
import type { Texts } from "../../../i18n/texts.ts";
import type { SettingsState } from "../../../ui/agents/use-settings.ts";
import { Button } from "../../../ui/controls.tsx";
import { fieldText, shownText, valueFrom } from "./field-text.ts";
import { SettingField } from "./setting-field.tsx";
import { patchAt, type FixedReason, type SettingRow } from "./setting-rows.ts";

interface SettingItemProps extends Pick<SettingsState, "change"> {
  readonly row: SettingRow;
}

export function SettingItem({ row, change }: SettingItemProps): ReactNode {
  const { settingsEditor: words } = useTexts();
  const { language } = useAppearance();
  const [isEdited, setIsEdited] = useState(false);
  const { path, description, isHidden, fixed } = row;
  const name = path.join(".");
  const shown = isHidden ? words.hidden : shownText(row, language) || words.unset;
  return (
    <li className="setting-item">
      <div className="setting-about">
        <strong className="setting-name" dir="ltr">
          {name}
        </strong>
        {/* In the words of the schema, which has one language. */}
        <small className="hint" lang="en">
          {description}
        </small>
        {fixed !== undefined && <small className="hint">{fixedText(fixed, words)}</small>}
      </div>
      {isEdited ? (
        <SettingForm {...{ row, change }} onDone={() => setIsEdited(false)} />
      ) : (
        <>
          <code className="setting-value" dir="auto">
            {shown}
          </code>
          {fixed === undefined && (
            <Button
              look="small quiet"
              aria-label={words.changeOne(name)}
              onClick={() => setIsEdited(true)}
            >
              {words.change}
            </Button>
          )}
        </>
      )}
    </li>
  );
}

function fixedText({ reason, by = "" }: FixedReason, words: Texts["settingsEditor"]): string {
  return reason === "given" ? words.fixedGiven(by) : words.fixedRestart;
}

interface SettingFormProps extends SettingItemProps {
  readonly onDone: () => void;
}

function SettingForm({ row, change, onDone }: SettingFormProps): ReactNode {
  const { settingsEditor: words } = useTexts();
  const { notices } = useApp();
  const problemId = useId();
  const [text, setText] = useState(() => fieldText(row));
  const [problem, setProblem] = useState("");
  const name = row.path.join(".");
  const send = async (value: unknown): Promise<void> => {
    const why = await change(patchAt(row.path, value));
    if (why !== undefined) return setProblem(why);
    notices.say(words.changed(name));
    onDone();
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const read = valueFrom(row, text);
    if (read.ok) void send(read.value);
    else setProblem(row.kind === "json" ? words.notJson : words.notNumber);
  };
  return (
    <form className="setting-form" onSubmit={submit}>
      <div className="field">
        <SettingField
          {...{ row, text, name }}
          problemId={problem === "" ? undefined : problemId}
          onChange={setText}
        />
      </div>
      <p id={problemId} className="connect-problem" role="alert" dir="auto">
        {problem}
      </p>
      <div className="row">
        <Button type="submit" look="small primary">
          {words.save}
        </Button>
        {(row.value !== undefined || row.isHidden) && (
          <Button look="small" onClick={() => void send(null)}>
            {words.reset}
          </Button>
        )}
        <Button look="small quiet" onClick={onDone}>
          {words.cancel}
        </Button>
      </div>
    </form>
  );
}
