/** Adding a repository: a folder on the server's computer. What is wrong with it is said beside the form. */
import { own } from "@atrium/wire";
import { useId, useState, type ReactNode, type SubmitEvent } from "react";
import { useApp, useTexts } from "../../../app/app.ts";
import type { Texts } from "../../../i18n/texts.ts";
import { Button, Field } from "../../../ui/controls.tsx";
import type { RepositoriesHttp } from "../../../ui/repositories/repositories-http.ts";

export interface RepositoryFormProps {
  readonly http: RepositoriesHttp;
  readonly onAdded: () => Promise<void>;
}

const EMPTY = { path: "", id: "", base: "" } as const;
type Fields = Readonly<Record<keyof typeof EMPTY, string>>;

export function RepositoryForm({ http, onAdded }: RepositoryFormProps): ReactNode {
  const { workshop: words } = useTexts();
  const { notices } = useApp();
  const hint = useId();
  const [fields, setFields] = useState<Fields>(EMPTY);
  const [problem, setProblem] = useState("");
  const [isSending, setIsSending] = useState(false);
  const set = (name: keyof Fields) => (event: { readonly target: { readonly value: string } }) =>
    setFields({ ...fields, [name]: event.target.value });
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const [path, id, base] = [fields.path.trim(), fields.id.trim(), fields.base.trim()];
    setIsSending(true);
    const answer = await http.add({ path, ...(id !== "" && { id }), ...(base !== "" && { base }) });
    setIsSending(false);
    if (!answer.ok) return setProblem(refusalOf(answer, words));
    setProblem("");
    setFields(EMPTY);
    notices.say(words.repositoryIsAdded(answer.value.repository.id));
    await onAdded();
  };
  return (
    <form className="repository-form" onSubmit={(event) => void submit(event)}>
      <h3>{words.repositoryAdd}</h3>
      <Field label={words.repositoryPath}>
        <input
          required
          dir="ltr"
          value={fields.path}
          placeholder="/home/ann/shop"
          autoComplete="off"
          spellCheck={false}
          aria-describedby={hint}
          onChange={set("path")}
        />
      </Field>
      <small id={hint} className="hint">
        {words.repositoryPathHint}
      </small>
      <div className="repository-details">
        <Field label={words.repositoryId}>
          <input
            dir="ltr"
            value={fields.id}
            maxLength={64}
            autoComplete="off"
            onChange={set("id")}
          />
        </Field>
        <Field label={words.repositoryBase}>
          <input
            dir="ltr"
            value={fields.base}
            maxLength={255}
            autoComplete="off"
            onChange={set("base")}
          />
        </Field>
      </div>
      <p className="repository-problem" role="alert" dir="auto">
        {problem}
      </p>
      <Button type="submit" look="primary" disabled={fields.path.trim() === "" || isSending}>
        {words.repositoryAdd}
      </Button>
    </form>
  );
}

interface Refused {
  readonly code: string;
  readonly message: string;
}

/** In the page's language where it has words for it. */
export function refusalOf({ code, message }: Refused, words: Texts["workshop"]): string {
  const known: Readonly<Record<string, string>> = words.repositoryRefusals;
  return own(known, code) ?? message;
}
