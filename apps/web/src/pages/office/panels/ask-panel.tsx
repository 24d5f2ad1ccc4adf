/** A request: what should be made, within which constraints, from which files. */
import { useState, type SubmitEvent, type ReactNode } from "react";
import { useCanAct, useApp, useTexts } from "../../../app/app.ts";
import { linesIn } from "../../../app/feedback/input-limits.ts";
import { useSendCommand } from "../../../app/feedback/send-command.ts";
import { Button, Field } from "../../../ui/controls.tsx";
import { AttachButton } from "../../../ui/files/attach-button.tsx";
import type { AttachedFile } from "../../../ui/files/attached-files.ts";
import { FileChips } from "../../../ui/files/file-chips.tsx";
import { useFileDrops } from "../../../ui/files/file-drops.ts";
import { useAttachedFiles } from "../../../ui/files/use-attached-files.ts";
import { RepositorySelect } from "../../../ui/repositories/repository-select.tsx";
import { useCamera, useOpen } from "../view/camera-control.ts";
import { usePendingRequests } from "../view/pending-requests.ts";

export interface AskFormProps {
  /** What it begins with. */
  readonly text?: string;
  readonly rules?: readonly string[];
  readonly repository?: string | undefined;
  readonly onAsked?: () => void;
  readonly onCancel?: () => void;
  readonly cancelLabel?: string;
  /** A field and examples; the rest opens on demand. */
  readonly isBrief?: boolean;
}

export function AskForm(props: AskFormProps): ReactNode {
  const { text: begun = "", rules = [], repository: first = "", isBrief = false } = props;
  const { onAsked, onCancel, cancelLabel } = props;
  const words = useTexts();
  const canAct = useCanAct();
  const [text, setText] = useState(begun);
  const [constraints, setConstraints] = useState(rules.join("\n"));
  const [repository, setRepository] = useState(first);
  const attached = useAttachedFiles();
  const { isOver, onPaste, dropProps } = useFileDrops((chosen) => void attached.add(chosen));
  const ask = useAsk(onAsked);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void ask({ text, rules: linesIn(constraints), files: attached.files, repository });
  };
  return (
    <form className="stack ask-form" data-over={isOver} onSubmit={submit} {...dropProps}>
      <Field label={words.askField}>
        <textarea
          required
          dir="auto"
          value={text}
          placeholder={words.askPlaceholder}
          onChange={(event) => setText(event.target.value)}
          onPaste={onPaste}
        />
      </Field>
      <Ideas isShown={text === ""} onChoose={setText} />
      <More isFolded={isBrief}>
        <Field label={words.askConstraints}>
          <textarea
            className="is-short"
            dir="auto"
            value={constraints}
            placeholder={words.askConstraintsPlaceholder}
            onChange={(event) => setConstraints(event.target.value)}
          />
        </Field>
        <RepositorySelect value={repository} onChange={setRepository} />
        <div className="stack is-tight">
          <FileChips files={attached.files} onRemove={attached.remove} />
          <div className="row">
            <AttachButton onFiles={(chosen) => void attached.add(chosen)} />
          </div>
        </div>
      </More>
      <div className="row">
        <Button type="submit" look="primary" disabled={!canAct || text.trim() === ""}>
          {words.askSubmit}
        </Button>
        {onCancel !== undefined && (
          <Button look="quiet" onClick={onCancel}>
            {cancelLabel ?? words.cancel}
          </Button>
        )}
      </div>
    </form>
  );
}

interface MoreProps {
  readonly isFolded: boolean;
  readonly children: ReactNode;
}

function More({ isFolded, children }: MoreProps): ReactNode {
  const words = useTexts();
  if (!isFolded) return children;
  return (
    <details className="ask-more">
      <summary>{words.first.more}</summary>
      <div className="stack">{children}</div>
    </details>
  );
}

interface Wish {
  readonly text: string;
  readonly rules: readonly string[];
  readonly files: readonly AttachedFile[];
  /** Empty: one of its own. */
  readonly repository: string;
}

function useAsk(onAsked: (() => void) | undefined): (wish: Wish) => Promise<void> {
  const act = useSendCommand();
  const open = useOpen();
  const camera = useCamera();
  const requests = usePendingRequests();
  const { navigation } = useApp();
  return async ({ text, rules, files, repository }) => {
    const attachments = files.map(({ name, mediaType, data: content }) => {
      return { name, media_type: mediaType, data: content };
    });
    const data = {
      text,
      ...(rules.length > 0 && { constraints: { rules: [...rules] } }),
      ...(attachments.length > 0 && { attachments }),
      ...(repository !== "" && { repository }),
    };
    const { show } = navigation.store.getState();
    const isTaken = await act({ name: "submit_request", data }, ({ project_id: projectId }) => {
      if (projectId !== undefined) requests.add(projectId);
    });
    if (!isTaken) return;
    onAsked?.();
    // Whoever has gone on to something else in the meantime stays there.
    if (navigation.store.getState().show !== show) return;
    open(undefined);
    camera.watchKickoff();
  };
}

interface IdeasProps {
  readonly isShown: boolean;
  readonly onChoose: (text: string) => void;
}

function Ideas({ isShown, onChoose }: IdeasProps): ReactNode {
  const words = useTexts();
  if (!isShown) return null;
  return (
    <div className="stack is-tight">
      <span className="hint">{words.askIdeas}</span>
      {words.ideas.map((idea) => (
        <button key={idea} type="button" className="idea" onClick={() => onChoose(idea)}>
          {idea}
        </button>
      ))}
    </div>
  );
}
