/** Permissions and questions of one conversation, answered by button. */
import { visibleText } from "@atrium/wire";
import type { PendingApproval, Question, QuestionRecord } from "@atrium/wire/gateway";
import { useState, type SubmitEvent, type ReactNode } from "react";
import { useApp, useTexts } from "../../app/app.ts";
import { messageOf } from "../../app/feedback/error-text.ts";
import { useAgentName } from "../../ui/agent-names.ts";
import { Button, Field } from "../../ui/controls.tsx";
import { GatewayPermission, type Decide } from "../../ui/permission/gateway-permission.tsx";
import type { OpenRequests, RequestView } from "./open-requests.ts";

export interface RequestCardsProps {
  readonly view: RequestView;
  readonly openRequests: OpenRequests;
  readonly canAct: boolean;
}

export function RequestCards({ view, openRequests, canAct }: RequestCardsProps): ReactNode {
  const words = useTexts().chat;
  const { notices } = useApp();
  const reportRefusal = (attempt: Promise<void>): void => {
    attempt.catch((error: unknown) => notices.say(words.refused(messageOf(error)), "refused"));
  };
  return (
    <>
      {view.approvals.map((approval) => (
        <ApprovalCard
          key={approval.id}
          approval={approval}
          canAct={canAct}
          onDecide={(decision, scope) =>
            reportRefusal(openRequests.decide(approval.id, decision, scope))
          }
        />
      ))}
      {view.questions.map((record) => (
        <QuestionCard
          key={record.id}
          record={record}
          canAct={canAct}
          onAnswer={(answers) => reportRefusal(openRequests.answer(record.id, answers))}
        />
      ))}
    </>
  );
}

interface ApprovalCardProps {
  readonly approval: PendingApproval;
  readonly canAct: boolean;
  readonly onDecide: Decide;
}

/** All of it is here, however long; what decides it comes when its end was in sight. */
function ApprovalCard({ approval, canAct, onDecide }: ApprovalCardProps): ReactNode {
  const words = useTexts().chat;
  const { permission, request } = approval;
  const agent = useAgentName()(permission.agent_id ?? request.agentId ?? "");
  return (
    <section className="chat-asked" aria-label={words.allowQuestion}>
      <h2>{words.allowQuestion}</h2>
      <GatewayPermission
        permission={permission}
        text={permission.is_whole ? permission.input : request.command}
        agent={agent}
        canAct={canAct}
        onDecide={onDecide}
      />
      <p className="hint">
        {words.permissionCode} <code>{approval.code}</code>
      </p>
    </section>
  );
}

interface QuestionCardProps {
  readonly record: QuestionRecord;
  readonly canAct: boolean;
  readonly onAnswer: (answers: Readonly<Record<string, string[]>>) => void;
}

function QuestionCard({ record, canAct, onAnswer }: QuestionCardProps): ReactNode {
  const words = useTexts().chat;
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
    <form className="chat-asked" aria-label={words.questionForYou} onSubmit={submit}>
      <h2 dir="auto">
        {isAlone && only !== undefined ? visibleText(only.question) : words.questionForYou}
      </h2>
      {record.questions.map((question) => (
        <div key={question.questionId} className="chat-question">
          {!isAlone && (
            <p className="as-written" dir="auto">
              {visibleText(question.question)}
            </p>
          )}
          <div className="row">
            {question.options.map(({ label, description }) => (
              <Button
                key={label}

                dir="auto"
                title={description}
                aria-pressed={isAlone ? undefined : given.get(question.questionId) === label}
                disabled={!canAct}
                onClick={() => choose(question, label)}
              >
                {visibleText(label)}
              </Button>
            ))}
          </div>
          {(question.options.length === 0 || question.isOther === true) && (
            <Field label={words.ownWords}>
              <input
                value={given.get(question.questionId) ?? ""}
                onChange={(event) =>
                  setGiven(new Map(given).set(question.questionId, event.target.value))
                }
              />
            </Field>
          )}
        </div>
      ))}
      {(!isAlone || only?.options.length === 0 || only?.isOther === true) && (
        <Button type="submit" look="primary" disabled={!canAct || !isComplete}>
          {words.answer}
        </Button>
      )}
    </form>
  );
}
