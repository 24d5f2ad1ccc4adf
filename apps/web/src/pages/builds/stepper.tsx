/** The seven steps, as a list that says where it is. */
import { own } from "@atrium/wire";
import type { ReactNode } from "react";
import { useTexts } from "../../app/app.ts";
import { doneSteps, type StoryStep } from "./build-story.ts";

export function Stepper({ steps }: { readonly steps: readonly StoryStep[] }): ReactNode {
  const words = useTexts().builds;
  return (
    <section className="build-steps" aria-label={words.stepsLabel}>
      <div className="row spread">
        <h2>{words.stepsLabel}</h2>
        <span className="hint">{words.stepsDone(doneSteps(steps), steps.length)}</span>
      </div>
      <progress max={steps.length} value={doneSteps(steps)} aria-hidden="true" />
      <ol>
        {steps.map((step) => {
          // An agent may have words of its own for a step; only the usual ones are translated.
          const { title, description } = own(words.steps, step.title) ?? step;
          return (
            <li
              key={step.id}
              data-state={step.state}
              aria-current={step.state === "active" ? "step" : undefined}
            >
              <span className="build-step-mark" aria-hidden="true" />
              <div>
                <strong>{title}</strong>
                <span className="visually-hidden"> ({words.stepStates[step.state]})</span>
                {step.state === "active" && <p className="hint">{description}</p>}
              </div>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
