/** One question to a person: who asks, what, and the answer by choice or in words. */
import { visibleText } from "@atrium/wire";
import type { WorldDecision } from "@atrium/wire/world";
import { useState, type SubmitEvent, type ReactNode } from "react";
import { useCanAct, useOffice, useTexts } from "../../../app/app.ts";
import { useSendCommand } from "../../../app/feedback/send-command.ts";
import { pathOf } from "../../../app/route.ts";
import { Button, Field } from "../../../ui/controls.tsx";
import { Link } from "../../../ui/link.tsx";
import { choiceText, namesIn, personIn } from "../text/event-text.ts";
import { projectOfIn } from "../text/project-text.ts";
import { PermissionPanel } from "./permission-panel.tsx";
import { SeveralQuestions } from "./several-questions.tsx";

export function DecisionPanel({ decisionId }: { readonly decisionId: string }): ReactNode {
  const words = useTexts();
  const snapshot = useOffice((shown) => shown.snapshot);
  const decision = snapshot?.decisions.find(({ decision_id }) => decision_id === decisionId);
  if (decision === undefined) return <p className="hint">{words.decisionGone}</p>;
  const names = namesIn(snapshot);
  const { kind, prompt, agent_id, task_id, project_id, build_id, session_key } = decision;
  // Each is asked where it is answered.
  const isAskedBelow = decision.questions !== undefined && build_id === undefined;
  return (
    <div className="stack">
      <p className="hint" dir="auto">
        {/* Of a permission these stand below, each with its name. */}
        {(kind === "permission"
          ? [words.needKinds[kind]]
          : [words.needKinds[kind], names.agent(agent_id), projectOfIn(snapshot)(project_id)]
        )
          .filter(Boolean)
          .join(" · ")}
        {task_id !== undefined && (
          <>
            {" · "}
            <Link to={pathOf("office", `task:${task_id}`)}>{names.task(task_id)}</Link>
          </>
        )}
        {build_id !== undefined && (
          <>
            {" · "}
            <Link to={`/builds/${encodeURIComponent(build_id)}`}>{words.decisionBuild}</Link>
          </>
        )}
        {session_key !== undefined && (
          <>
            {" · "}
            <Link to={`/chat/${encodeURIComponent(session_key)}`}>{words.decisionChat}</Link>
          </>
        )}
      </p>
      {kind === "permission" ? (
        <PermissionPanel decision={decision} />
      ) : (
        !isAskedBelow && (
          <p className="prompt" dir="auto">
            {visibleText(prompt)}
          </p>
        )
      )}
      <Outcome decision={decision} />
      <OtherDecisions decision={decision} />
    </div>
  );
}

function Outcome({ decision }: { readonly decision: WorldDecision }): ReactNode {
  const words = useTexts();
  switch (decision.status) {
    case "open":
      return decision.kind === "permission" ? null : <Answering decision={decision} />;
    case "resolved":
      return (
        <>
          <p className="chip" data-tone="good" dir="auto">
            {words.decisionAnswered(
              choiceText(decision.kind, decision.choice ?? "", words),
              personIn(decision.by, words),
            )}
          </p>
          {(decision.by_credential !== undefined || decision.by_from !== undefined) && (
            <p className="hint" dir="auto">
              {[
                decision.by_credential && words.permission.decidedVia(decision.by_credential),
                decision.by_from && words.permission.decidedFrom(decision.by_from),
              ]
                .filter(Boolean)
                .join(" · ")}
            </p>
          )}
          {decision.note !== undefined && (
            <p className="as-written" dir="auto">
              {decision.note}
            </p>
          )}
        </>
      );
    case "expired":
      return <p className="hint">{decision.note ?? words.decisionExpired}</p>;
  }
}

function Answering({ decision }: { readonly decision: WorldDecision }): ReactNode {
  const words = useTexts();
  const act = useSendCommand();
  const canAct = useCanAct();
  const [text, setText] = useState("");
  const [note, setNote] = useState("");
  const { decision_id, options, build_id, questions, allows_other } = decision;
  const answer = (choice: string): void => {
    const trimmedNote = note.trim();
    const data = { decision_id, choice, ...(trimmedNote !== "" && { note: trimmedNote }) };
    void act({ name: "resolve_decision", data });
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (text.trim() !== "") answer(text.trim());
  };
  if (options.length === 0 && build_id !== undefined) {
    return (
      <Link to={`/builds/${encodeURIComponent(build_id)}`} className="button is-primary">
        {words.decisionAtBuild}
      </Link>
    );
  }
  if (questions !== undefined) {
    return <SeveralQuestions decisionId={decision_id} questions={questions} />;
  }
  const ownWords = (
    <form className="stack" onSubmit={submit}>
      <Field label={options.length === 0 ? words.decisionField : words.decisionOther}>
        <textarea value={text} onChange={({ target }) => setText(target.value)} />
      </Field>
      <Button type="submit" look="primary" disabled={!canAct || text.trim() === ""}>
        {words.answer}
      </Button>
    </form>
  );
  if (options.length === 0) return ownWords;
  return (
    <div className="stack">
      <div className="choices">
        {options.map((choice) => (
          <Button
            key={choice}

            dir="auto"
            disabled={!canAct}
            onClick={() => answer(choice)}
          >
            {choiceText(decision.kind, choice, words)}
          </Button>
        ))}
      </div>
      <Field label={words.decisionNote}>
        <input value={note} onChange={({ target }) => setNote(target.value)} />
      </Field>
      {allows_other === true && ownWords}
    </div>
  );
}

/** What was decided before in the same project, so that one need not remember it. */
function OtherDecisions({ decision }: { readonly decision: WorldDecision }): ReactNode {
  const words = useTexts();
  const decisions = useOffice(({ snapshot }) => snapshot?.decisions) ?? [];
  const others = decisions.filter(
    ({ project_id, decision_id, status }) =>
      project_id === decision.project_id &&
      decision_id !== decision.decision_id &&
      status !== "open",
  );
  if (others.length === 0) return null;
  return (
    <section className="stack is-tight">
      <h4>{words.decisionsTitle}</h4>
      <ul className="plain-list">
        {others.map(({ decision_id, kind, prompt, choice, by, note }) => (
          <li key={decision_id} dir="auto">
            {prompt}{" "}
            <span className="hint">
              {choice === undefined
                ? (note ?? words.decisionExpired)
                : words.decisionAnswered(choiceText(kind, choice, words), personIn(by, words))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
