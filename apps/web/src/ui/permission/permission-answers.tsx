/** What decides a permission that was read. */
import type { AlwaysScope } from "@atrium/wire";
import { useState, type ReactNode } from "react";
import { useTexts } from "../../app/app.ts";
import { Button, Field } from "../controls.tsx";

export type Verdict = "allow" | "always" | "deny";

export interface PermissionAnswersProps {
  readonly isDisabled: boolean;
  /** How far an "always" may reach, narrowest first; none: it is not offered. */
  readonly scopes: readonly AlwaysScope[];
  /** Y and N give the answers here. */
  readonly hasKeys?: boolean;
  /** Words can go with the answer here. */
  readonly takesNote?: boolean;
  readonly onAnswer: (verdict: Verdict, note: string, scope?: AlwaysScope) => void;
}

export function PermissionAnswers(props: PermissionAnswersProps): ReactNode {
  const { isDisabled, scopes, hasKeys = false, takesNote = false, onAnswer } = props;
  const { permission: words, decisionNote } = useTexts();
  const [note, setNote] = useState("");
  const [scope, setScope] = useState(scopes[0]);
  const trimmedNote = note.trim();
  return (
    <div className="permission-answers">
      <div className="row">
        <Button look="primary" disabled={isDisabled} onClick={() => onAnswer("allow", trimmedNote)}>
          {words.allow}
          {hasKeys && <kbd aria-hidden="true">Y</kbd>}
        </Button>
        <Button look="danger" disabled={isDisabled} onClick={() => onAnswer("deny", trimmedNote)}>
          {words.deny}
          {hasKeys && <kbd aria-hidden="true">N</kbd>}
        </Button>
      </div>
      {scope !== undefined && (
        <div className="permission-always">
          <label className="row">
            <span>{words.alwaysWhere}</span>
            <select
              value={scope}
              disabled={isDisabled}
              onChange={({ target }) => setScope(scopes.find((each) => each === target.value))}
            >
              {scopes.map((each) => (
                <option key={each} value={each}>
                  {words.scopes[each]}
                </option>
              ))}
            </select>
          </label>
          <Button
            look="small"
            disabled={isDisabled}
            onClick={() => onAnswer("always", trimmedNote, scope)}
          >
            {words.always}
          </Button>
        </div>
      )}
      {takesNote && (
        <Field label={decisionNote}>
          <input value={note} dir="auto" onChange={({ target }) => setNote(target.value)} />
        </Field>
      )}
      <p className="hint">{words.asWho}</p>
    </div>
  );
}
