/** What a build asks: choices as radio buttons, the rest as text; everything that is asked together is sent together. */
import { useState, type SubmitEvent, type ReactNode } from "react";
import { useTexts } from "../../app/app.ts";
import { Button } from "../../ui/controls.tsx";
import {
  questionsIn,
  readAnswers,
  type QuestionSet,
  type BuildQuestion,
  type BuildAnswer,
} from "./build-story.ts";
import { useBroughtIntoView } from "./use-brought-into-view.ts";

export interface QuestionFormProps {
  readonly questionSet: QuestionSet;
  readonly onAnswer: (answers: readonly BuildAnswer[]) => Promise<void>;
}

export function QuestionForm({ questionSet, onAnswer }: QuestionFormProps): ReactNode {
  const words = useTexts().builds;
  const [given, setGiven] = useState<ReadonlyMap<string, string>>(new Map());
  const [isSending, setIsSending] = useState(false);
  const questions = questionsIn(questionSet);
  const answers = readAnswers(questionSet, given);
  const ref = useBroughtIntoView<HTMLFormElement>();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (answers === null) return;
    setIsSending(true);
    await onAnswer(answers);
    setIsSending(false);
  };
  return (
    <form ref={ref} className="build-question" onSubmit={(event) => void submit(event)}>
      <h2>{questions.length === 1 ? words.questionForYou : words.asksSeveral}</h2>
      {"questions" in questionSet && <p>{questionSet.prompt}</p>}
      {questions.map((question) => (
        <QuestionField
          key={question.question_id}
          question={question}
          value={given.get(question.question_id) ?? ""}
          onChange={(value) => setGiven(new Map(given).set(question.question_id, value))}
        />
      ))}
      <Button type="submit" look="primary" disabled={answers === null || isSending}>
        {answers?.length === 0 ? words.skip : words.answer}
      </Button>
    </form>
  );
}

interface QuestionFieldProps {
  readonly question: BuildQuestion;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function QuestionField({ question, value, onChange }: QuestionFieldProps): ReactNode {
  const words = useTexts().builds;
  const { question_id: name, prompt, input, options, isRequired } = question;
  const note = isRequired ? "" : ` (${words.optional})`;
  if (input === "text") {
    return (
      <label className="field">
        <span>
          {prompt}
          {note}
        </span>
        <textarea
          rows={2}
          value={value}
          aria-required={isRequired}
          onChange={(event) => onChange(event.target.value)}
        />
      </label>
    );
  }
  return (
    <fieldset className="build-choices">
      <legend>
        {prompt}
        {note}
      </legend>
      {options.map(({ id, label, description }) => (
        <label key={id} className="build-choice">
          <input
            type="radio"
            name={name}
            value={id}
            checked={value === id}
            onChange={() => onChange(id)}
          />
          <span>
            {label}
            {description !== undefined && <small>{description}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
