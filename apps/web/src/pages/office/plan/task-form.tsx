/** What a task says, as fields; only what was changed is handed on. */
import type { WorldCommandData, WorldTask } from "@atrium/wire/world";
import { useState, type KeyboardEvent, type ReactNode, type SubmitEvent } from "react";
import { useCanAct, useTexts } from "../../../app/app.ts";
import { linesIn } from "../../../app/feedback/input-limits.ts";
import { Button, Field } from "../../../ui/controls.tsx";
import { changesIn, textOf, type TaskText } from "./task-text.ts";

export type TaskChanges = Omit<WorldCommandData<"edit_task">, "task_id">;

export interface TaskFormProps {
  /** Undefined: a new one. */
  readonly task?: WorldTask;
  readonly tasks: readonly WorldTask[];
  readonly submitLabel?: string;
  readonly onSubmit: (changes: TaskChanges) => Promise<void>;
  readonly onCancel: () => void;
}

export function TaskForm({
  task,
  tasks,
  submitLabel,
  onSubmit,
  onCancel,
}: TaskFormProps): ReactNode {
  const { plan: words, cancel } = useTexts();
  const canAct = useCanAct();
  const before = textOf(task);
  const [text, setText] = useState(before);
  const set = (part: Partial<TaskText>): void => setText({ ...text, ...part });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void onSubmit(changesIn(before, text));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    // Leaves the form only; what is around it stays open.
    event.preventDefault();
    onCancel();
  };
  return (
    <form className="stack is-tight" onSubmit={submit} onKeyDown={onKeyDown}>
      <TextFields text={text} onChange={set} />
      <AfterFields {...{ task, tasks }} after={text.after} onChange={(after) => set({ after })} />
      <div className="row">
        <Button type="submit" look="small primary" disabled={!canAct || text.title.trim() === ""}>
          {submitLabel ?? words.save}
        </Button>
        <Button look="small quiet" onClick={onCancel}>
          {cancel}
        </Button>
      </div>
    </form>
  );
}

interface TextFieldsProps {
  readonly text: TaskText;
  readonly onChange: (part: Partial<TaskText>) => void;
}

function TextFields({ text, onChange: set }: TextFieldsProps): ReactNode {
  const { plan: words } = useTexts();
  return (
    <>
      <Field label={words.title}>
        <input
          className="input"
          required
          autoFocus
          dir="auto"
          value={text.title}
          onChange={({ target }) => set({ title: target.value })}
        />
      </Field>
      <Field label={words.description}>
        <textarea
          className="is-short"
          dir="auto"
          value={text.description}
          onChange={({ target }) => set({ description: target.value })}
        />
      </Field>
      <Field label={words.acceptField}>
        <textarea
          className="is-short"
          dir="auto"
          defaultValue={text.accept.join("\n")}
          onChange={({ target }) => set({ accept: linesIn(target.value) })}
        />
      </Field>
      <Field label={words.verifyField}>
        <textarea
          className="is-short plan-code"
          dir="ltr"
          spellCheck={false}
          placeholder="npm test"
          defaultValue={text.verify.join("\n")}
          onChange={({ target }) => set({ verify: linesIn(target.value) })}
        />
      </Field>
      <div className="plan-fields">
        <Field label={words.role}>
          <input
            className="input"
            dir="auto"
            value={text.role}
            onChange={({ target }) => set({ role: target.value })}
          />
        </Field>
        <Field label={words.kind}>
          <select
            value={text.kind}
            onChange={({ target }) =>
              set({ kind: target.value === "document" ? "document" : "change" })
            }
          >
            <option value="change">{words.kinds.change}</option>
            <option value="document">{words.kinds.document}</option>
          </select>
        </Field>
      </div>
    </>
  );
}

interface AfterFieldsProps {
  readonly task: WorldTask | undefined;
  readonly tasks: readonly WorldTask[];
  readonly after: readonly string[];
  readonly onChange: (after: readonly string[]) => void;
}

/** What has begun waits for nothing any more. */
function AfterFields({ task, tasks, after, onChange }: AfterFieldsProps): ReactNode {
  const { plan: words } = useTexts();
  const others = tasks.filter(
    ({ task_id, status }) => task_id !== task?.task_id && status !== "cancelled",
  );
  if (others.length === 0 || (task?.attempts ?? 0) > 0) return null;
  return (
    <fieldset className="choice-set">
      <legend>{words.afterField}</legend>
      {others.map(({ task_id, title }) => (
        <label key={task_id}>
          <input
            type="checkbox"
            checked={after.includes(task_id)}
            onChange={({ target }) =>
              onChange(
                target.checked ? [...after, task_id] : after.filter((each) => each !== task_id),
              )
            }
          />
          <span dir="auto">{`${tasks.findIndex((each) => each.task_id === task_id) + 1}. ${title}`}</span>
        </label>
      ))}
    </fieldset>
  );
}
