/** Adding skills by their folder. */
import { useId, useState, type ReactNode, type SubmitEvent } from "react";
import { useTexts } from "../../../app/app.ts";
import { Button, Field } from "../../../ui/controls.tsx";

interface SkillFormProps {
  readonly problem: string | undefined;
  /** Whether it was added. */
  readonly onAdd: (folder: string) => Promise<boolean>;
}

export function SkillForm({ problem, onAdd }: SkillFormProps): ReactNode {
  const { brought: words } = useTexts();
  const hint = useId();
  const [folder, setFolder] = useState("");
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (await onAdd(folder.trim())) setFolder("");
  };
  return (
    <form className="brought-form" onSubmit={(event) => void submit(event)}>
      <div className="brought-wide">
        <Field label={words.skillFolder}>
          <input
            required
            dir="ltr"
            value={folder}
            placeholder="/home/ann/skills/review"
            autoComplete="off"
            spellCheck={false}
            aria-describedby={hint}
            onChange={({ target }) => setFolder(target.value)}
          />
        </Field>
        <small id={hint} className="hint">
          {words.skillFolderHint}
        </small>
      </div>
      <p className="brought-wide connect-problem" role="alert" dir="auto">
        {problem}
      </p>
      <div className="row brought-wide">
        <Button type="submit" look="small">
          {words.skillAdd}
        </Button>
      </div>
    </form>
  );
}
