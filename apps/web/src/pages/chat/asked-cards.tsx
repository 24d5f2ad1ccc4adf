/** Permissions and questions of one conversation, answered by button. */
import type { PendingApproval, Question, QuestionRecord } from "@atrium/wire/gateway";
import { useState, type SubmitEvent, type ReactNode } from "react";
import { useHouse, useWords } from "../../shell/house.ts";
import type { Asked, AskedView } from "./asked.ts";

export interface AskedCardsProps {
  readonly view: AskedView;
  readonly asked: Asked;
  readonly canAct: boolean;
}

export function AskedCards({ view, asked, canAct }: AskedCardsProps): ReactNode {
  const words = useWords().chat;
  const { notices } = useHouse();
  const tell = (attempt: Promise<void>): void => {
    attempt.catch((error: unknown) =>
      notices.say(words.refused(error instanceof Error ? error.message : String(error)), "refused"),
    );
  };
  return (
    <>
      {view.approvals.map((approval) => (
        <ApprovalCard
          key={approval.id}
          approval={approval}
          canAct={canAct}
          onDecide={(decision) => tell(asked.decide(approval.id, decision))}
        />
      ))}
      {view.questions.map((record) => (
        <QuestionCard
          key={record.id}
          record={record}
          canAct={canAct}
          onAnswer={(answers) => tell(asked.answer(record.id, answers))}
        />
      ))}
    </>
  );
}

interface ApprovalCardProps {
  readonly approval: PendingApproval;
  readonly canAct: boolean;
  readonly onDecide: (decision: "allow-once" | "allow-always" | "deny") => void;
}

function ApprovalCard({ approval, canAct, onDecide }: ApprovalCardProps): ReactNode {
  const words = useWords().chat;
  const { command, tool, warningText, allowedDecisions } = approval.request;
  const labels = {
    "allow-once": words.allowOnce,
    "allow-always": words.allowAlways,
    deny: words.deny,
  };
  return (
    <section className="chat-asked" aria-label={words.permission}>
      <h2>{words.permission}</h2>
      <pre className="raw">{command}</pre>
      <p className="hint">
        {words.permissionFor(tool)} · <code>{approval.code}</code>
      </p>
      {warningText !== null && <pre className="raw">{warningText}</pre>}
      <div className="row">
        {allowedDecisions.map((decision) => (
          <button
            key={decision}
            type="button"
            className={`button ${TONE[decision]}`}
            disabled={!canAct}
            onClick={() => onDecide(decision)}
          >
            {labels[decision]}
          </button>
        ))}
      </div>
    </section>
  );
}

const TONE = { "allow-once": "is-primary", "allow-always": "", deny: "is-danger" } as const;

interface QuestionCardProps {
  readonly record: QuestionRecord;
  readonly canAct: boolean;
  readonly onAnswer: (answers: Readonly<Record<string, string[]>>) => void;
}

function QuestionCard({ record, canAct, onAnswer }: QuestionCardProps): ReactNode {
  const words = useWords().chat;
  const [given, setGiven] = useState<ReadonlyMap<string, string>>(new Map());
  const [only] = record.questions;
  const isAlone = record.questions.length === 1;
  const isComplete = record.questions.every(
    ({ questionId }) => (given.get(questionId) ?? "").trim() !== "",
  );
  const choose = ({ questionId }: Question, label: string): void => {
    if (isAlone) onAnswer({ [questionId]: [label] });
    else setGiven(new Map(given).set(questionId, label));
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onAnswer(Object.fromEntries([...given].map(([id, text]) => [id, [text.trim()]])));
  };
  return (
    <form className="chat-asked" aria-label={words.question} onSubmit={submit}>
      <h2>{isAlone && only !== undefined ? only.question : words.question}</h2>
      {record.questions.map((question) => (
        <div key={question.questionId} className="chat-question">
          {!isAlone && <p className="as-written">{question.question}</p>}
          <div className="row">
            {question.options.map(({ label, description }) => (
              <button
                key={label}
                type="button"
                className="button"
                title={description}
                aria-pressed={isAlone ? undefined : given.get(question.questionId) === label}
                disabled={!canAct}
                onClick={() => choose(question, label)}
              >
                {label}
              </button>
            ))}
          </div>
          {(question.options.length === 0 || question.isOther === true) && (
            <label className="field">
              <span>{words.ownWords}</span>
              <input
                value={given.get(question.questionId) ?? ""}
                onChange={(event) =>
                  setGiven(new Map(given).set(question.questionId, event.target.value))
                }
              />
            </label>
          )}
        </div>
      ))}
      {(!isAlone || only?.options.length === 0 || only?.isOther === true) && (
        <button type="submit" className="button is-primary" disabled={!canAct || !isComplete}>
          {words.answer}
        </button>
      )}
    </form>
  );
}
