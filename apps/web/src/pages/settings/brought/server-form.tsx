/** One MCP server: a program or an address, with its secrets by the names of variables. */
import { useId, useState, type ReactNode, type SubmitEvent } from "react";
import { useTexts } from "../../../app/app.ts";
import { Button, Field } from "../../../ui/controls.tsx";
import type { ServerFields } from "./brought.ts";

interface ServerFormProps {
  /** Of one that is there; left out: a new one. */
  readonly name?: string | undefined;
  readonly problem: string | undefined;
  readonly onSave: (fields: ServerFields) => Promise<void>;
  readonly onCancel: () => void;
}

const EMPTY: ServerFields = {
  name: "",
  kind: "program",
  command: "",
  args: "",
  variables: "",
  url: "",
  header: "",
  headerVariable: "",
};
const KINDS = ["program", "address"] as const;

export function ServerForm({ name, problem, onSave, onCancel }: ServerFormProps): ReactNode {
  const { brought: words } = useTexts();
  const [fields, setFields] = useState<ServerFields>({ ...EMPTY, name: name ?? "" });
  const set = (changed: Partial<ServerFields>): void => setFields({ ...fields, ...changed });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void onSave(fields);
  };
  return (
    <form className="brought-form" onSubmit={submit}>
      {name !== undefined && <p className="hint brought-wide">{words.keepsEmpty}</p>}
      <Field label={words.serverName}>
        <input
          required
          dir="ltr"
          value={fields.name}
          readOnly={name !== undefined}
          pattern="[A-Za-z0-9_\-]+"
          maxLength={40}
          autoComplete="off"
          onChange={({ target }) => set({ name: target.value })}
        />
      </Field>
      <Field label={words.serverKind}>
        <select
          value={fields.kind}
          onChange={({ target }) =>
            set({ kind: KINDS.find((each) => each === target.value) ?? "program" })
          }
        >
          {KINDS.map((each) => (
            <option key={each} value={each}>
              {words.kinds[each]}
            </option>
          ))}
        </select>
      </Field>
      {fields.kind === "program" ? (
        <ProgramFields isNew={name === undefined} {...{ fields, set }} />
      ) : (
        <AddressFields isNew={name === undefined} {...{ fields, set }} />
      )}
      <p className="brought-wide connect-problem" role="alert" dir="auto">
        {problem}
      </p>
      <div className="row brought-wide">
        <Button type="submit" look="primary small">
          {words.save}
        </Button>
        <Button look="small" onClick={onCancel}>
          {words.cancel}
        </Button>
      </div>
    </form>
  );
}

interface FieldsProps {
  readonly isNew: boolean;
  readonly fields: ServerFields;
  readonly set: (changed: Partial<ServerFields>) => void;
}

const PLAIN = { dir: "ltr", autoComplete: "off", spellCheck: false } as const;

function ProgramFields({ isNew, fields, set }: FieldsProps): ReactNode {
  const { brought: words } = useTexts();
  const hint = useId();
  return (
    <>
      <Field label={words.command}>
        <input
          {...PLAIN}
          required={isNew}
          value={fields.command}
          placeholder="docs-mcp"
          onChange={({ target }) => set({ command: target.value })}
        />
      </Field>
      <Field label={words.commandArguments}>
        <textarea
          {...PLAIN}
          rows={2}
          value={fields.args}
          onChange={({ target }) => set({ args: target.value })}
        />
      </Field>
      <div className="brought-wide">
        <Field label={words.variables}>
          <input
            {...PLAIN}
            value={fields.variables}
            placeholder="DOCS_KEY"
            aria-describedby={hint}
            onChange={({ target }) => set({ variables: target.value })}
          />
        </Field>
        <small id={hint} className="hint">
          {words.variablesHint}
        </small>
      </div>
    </>
  );
}

function AddressFields({ isNew, fields, set }: FieldsProps): ReactNode {
  const { brought: words } = useTexts();
  return (
    <>
      <div className="brought-wide">
        <Field label={words.url}>
          <input
            {...PLAIN}
            required={isNew}
            value={fields.url}
            placeholder="https://docs.example/mcp"
            onChange={({ target }) => set({ url: target.value })}
          />
        </Field>
      </div>
      <Field label={words.header}>
        <input
          {...PLAIN}
          value={fields.header}
          placeholder="Authorization"
          onChange={({ target }) => set({ header: target.value })}
        />
      </Field>
      <Field label={words.headerVariable}>
        <input
          {...PLAIN}
          value={fields.headerVariable}
          placeholder="DOCS_AUTH"
          onChange={({ target }) => set({ headerVariable: target.value })}
        />
      </Field>
    </>
  );
}
