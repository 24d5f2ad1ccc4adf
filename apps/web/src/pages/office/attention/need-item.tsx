/** One thing that needs a person. */
import { visibleText } from "@atrium/wire";
import type { ReactNode } from "react";
import { useCanAct, useAppearance, useOffice, useTexts } from "../../../app/app.ts";
import { useSendCommand } from "../../../app/feedback/send-command.ts";
import type { Texts } from "../../../i18n/texts.ts";
import { Button } from "../../../ui/controls.tsx";
import { sizeText } from "../../../ui/files/attached-files.ts";
import { PermissionText } from "../../../ui/permission/permission-text.tsx";
import { projectOfIn } from "../text/project-text.ts";
import { spanOf } from "../text/spans.ts";
import { useOpen } from "../view/camera-control.ts";
import { answersTo, isWholeInList, viewOf } from "./answers.ts";
import type { Need } from "./needs.ts";
import { mustBeSeen, useSeen } from "./seen.ts";

export interface NeedItemProps {
  readonly need: Need;
  readonly now: number;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

export function NeedItem({ need, now, isChosen, onChoose }: NeedItemProps): ReactNode {
  const words = useTexts();
  const agent = useOffice(
    ({ snapshot }) =>
      snapshot?.agents.find(({ agent_id }) => agent_id === need.agentId)?.name ?? need.agentId,
  );
  const project = useOffice(({ snapshot }) => projectOfIn(snapshot)(need.projectId));
  const { language } = useAppearance();
  const { kind, trouble, since, held, title, version = 1 } = need;
  const waited = since === undefined ? undefined : words.waited(spanOf(now - since, words));
  return (
    <li
      className="need"
      data-kind={kind}
      data-trouble={trouble}
      data-chosen={isChosen}
      data-clipped={!isWholeInList(need)}
      aria-current={isChosen || undefined}
    >
      <button type="button" className="need-what" onClick={onChoose}>
        <span className="need-kind">
          {words.needKinds[trouble ?? kind]}
          {agent !== undefined && (
            <>
              {" · "}
              <bdi>{agent}</bdi>
            </>
          )}
        </span>
        {kind === "permission" ? (
          <code className="need-title">
            <PermissionText text={title} />
          </code>
        ) : (
          <span className="need-title" dir="auto">
            {visibleText(title)}
          </span>
        )}
        {need.file !== undefined && (
          <span className="need-file" title={need.file.name}>
            <bdi className="need-file-name">{need.file.name}</bdi>
            <span className="need-file-size">{` · ${sizeText(need.file.bytes, language)}`}</span>
          </span>
        )}
        {need.change !== undefined && (
          <span className="need-file need-change">
            <span>{words.code.changed(need.change.files)}</span>
            <span className="change-count">
              <span data-type="added">+{need.change.added.toLocaleString(language)}</span>{" "}
              <span data-type="removed">−{need.change.removed.toLocaleString(language)}</span>
            </span>
          </span>
        )}
        {need.detail !== undefined && (
          <span className="need-detail" dir="auto" title={need.detail}>
            {need.detail}
          </span>
        )}
        <span className="hint">
          {[
            project === title ? undefined : project,
            version > 1 ? words.inVersion(version) : undefined,
            waited,
            held > 0 ? words.holdsUp(held) : undefined,
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </button>
      <NeedAnswers need={need} isChosen={isChosen} />
    </li>
  );
}

/** What can be answered here, and the way to where all of it is read. */
function NeedAnswers({ need, isChosen }: Pick<NeedItemProps, "need" | "isChosen">): ReactNode {
  const words = useTexts();
  const open = useOpen();
  const act = useSendCommand();
  const canAct = useCanAct();
  const seen = useSeen();
  const wanted = mustBeSeen(need);
  // A permission is decided in its own view alone, also when it was read there.
  const isAnswerable =
    wanted === undefined ? isWholeInList(need) : need.kind === "review" && seen.has(wanted);
  const toRead = isAnswerable ? words.open : readWord(need, words);
  return (
    <div className="row need-answers">
      {isAnswerable &&
        answersTo(need, words).map((given) => (
          <Button
            key={given.label}

            look="small"
            dir="auto"
            disabled={!canAct}
            onClick={() => void act(given.command)}
          >
            {given.label}
            {isChosen && given.keys[0] !== undefined && (
              <kbd aria-hidden="true">{given.keys[0]}</kbd>
            )}
          </Button>
        ))}
      <button
        type="button"
        className={isAnswerable ? "button is-small is-quiet" : "button is-small"}
        aria-label={`${toRead}: ${need.title.slice(0, MAX_NAME_CHARS)}`}
        onClick={() => open(viewOf(need))}
      >
        {toRead}
      </button>
    </div>
  );
}

const MAX_NAME_CHARS = 120;

function readWord({ kind }: Need, { permission: words }: Texts): string {
  if (kind === "permission") return words.readAndDecide;
  return kind === "review" ? words.readAndReview : words.readAndAnswer;
}
