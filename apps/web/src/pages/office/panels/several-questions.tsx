/** Several questions that are asked together: each has its own choices or field, and they are sent together. */
import { visibleText } from "@atrium/wire";
import type { DecisionQuestion } from "@atrium/wire/world";
import { useState, type ReactNode, type SubmitEvent } from "react";
import { useCanAct, useTexts } from "../../../app/app.ts";
import { useSendCommand } from "../../../app/feedback/send-command.ts";
import { Button, Field } from "../../../ui/controls.tsx";
import { answersOf, NOTHING_GIVEN, pick, write, type AnswerInput } from "./given-answers.ts";

export interface SeveralQuestionsProps {
  readonly decisionId: string;
  readonly questions: readonly DecisionQuestion[];
}

export function SeveralQuestions({ decisionId, questions }: SeveralQuestionsProps): ReactNode {
  const words = useTexts();
  const act = useSendCommand();
  const canAct = useCanAct();
  const [given, setGiven] = useState<ReadonlyMap<string, AnswerInput>>(new Map());
  const answers = answersOf(questions, given);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (answers === null) return;
    void act({ name: "resolve_decision", data: { decision_id: decisionId, answers } });
  };
  return (
    <form className="stack" onSubmit={submit}>
      {questions.map((question) => (
        <QuestionField
          key={question.question_id}
          question={question}
          given={given.get(question.question_id) ?? NOTHING_GIVEN}
          onChange={(next) => setGiven(new Map(given).set(question.question_id, next))}
        />
      ))}
      <Button type="submit" look="primary" disabled={!canAct || answers === null}>
        {words.answer}
      </Button>
    </form>
  );
}

interface QuestionFieldProps {
  readonly question: DecisionQuestion;
  readonly given: AnswerInput;
  readonly onChange: (given: AnswerInput) => void;
}

function QuestionField({ question, given, onChange }: QuestionFieldProps): ReactNode {
  const words = useTexts();
  const { question_id: name, prompt, options, allows_other, allows_several } = question;
  const say = (own: string): void => onChange(write(question, given, own));
  if (options.length === 0) {
    return (
      <label className="field">
        <span dir="auto">{visibleText(prompt)}</span>
        <textarea rows={2} value={given.own} onChange={({ target }) => say(target.value)} />
      </label>
    );
  }
  return (
    <fieldset className="choice-set">
      <legend dir="auto">{visibleText(prompt)}</legend>
      {options.map((choice) => (
        <label key={choice}>
          <input
            type={allows_several === true ? "checkbox" : "radio"}
            name={name}
            checked={given.picked.includes(choice)}
            onChange={() => onChange(pick(question, given, choice))}
          />
          <span dir="auto">{visibleText(choice)}</span>
        </label>
      ))}
      {allows_other === true && (
        <Field label={words.decisionOther}>
          <input value={given.own} onChange={({ target }) => say(target.value)} />
        </Field>
      )}
    </fieldset>
  );
}
