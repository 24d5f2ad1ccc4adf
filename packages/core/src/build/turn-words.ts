/** What the agent is told when it has to go on by itself: after an interruption, or when it stopped too soon. */
import type { BuildCheckResult, BuildCommand } from "./events.ts";
import type { StartedBuild } from "./state.ts";

export function continueBody(build: StartedBuild): string {
  return [
    "This build was interrupted. Continue it; do not begin again.",
    ...standing(build),
    "",
    "The request:",
    build.prompt,
  ].join("\n");
}

export function nudgeBody(build: StartedBuild): string {
  return [
    "Your turn ended, but the build has not. Continue it now: go through the steps that are left and end with status.changed and session.completed or session.failed, or ask what you need to know.",
    ...objectionsTo(build),
    ...standing(build),
    "",
    "The request:",
    build.prompt,
  ].join("\n");
}

/** Each check with the end of what it wrote. */
type ToldCheck = Extract<BuildCommand, { readonly type: "finish-checks" }>["results"][number];

export function checksBody(build: StartedBuild, culprits: readonly ToldCheck[]): string {
  return [
    "The checks of the repository ran on what you made, and not all of them passed. Mend what they found. Then say again what you had said since the step validate, and go on from there: nobody has been told it yet. If they fail again, the build has failed.",
    ...culprits.flatMap((check) => ["", `${endingOf(check)}:`, check.tail]),
    "",
    ...standing(build),
    "",
    "The request:",
    build.prompt,
  ].join("\n");
}

export function failedAgain(culprits: readonly BuildCheckResult[]): string {
  return `After another try, ${culprits.map(endingOf).join(", ")}.`;
}

function endingOf({ name, verdict, exitCode }: BuildCheckResult): string {
  if (verdict === "error") return `the check “${name}” could not be run`;
  const code = exitCode === null ? "" : ` with exit code ${exitCode}`;
  return `the check “${name}” failed${code}`;
}

function objectionsTo({ objections }: StartedBuild): readonly string[] {
  if (objections.length === 0) return [];
  return ["Some of what you said was not accepted:", ...objections.map((why) => `- ${why}`)];
}

function standing({ steps, done, current, answers }: StartedBuild): readonly string[] {
  const left = steps.map(({ id }) => id).filter((id) => !done.includes(id));
  const answered = answers.map(({ questionId, optionId, text }) => {
    const answer = [optionId, text].filter((each) => each !== null);
    return [questionId, ...(answer.length === 0 ? ["left blank"] : answer)].join(": ");
  });
  return [
    `Steps completed: ${done.length === 0 ? "none" : done.join(", ")}.`,
    ...(current === null ? [] : [`Step under way: ${current}.`]),
    `Steps left: ${left.length === 0 ? "none" : left.join(", ")}.`,
    ...(answered.length === 0 ? [] : [`Answers so far: ${answered.join("; ")}.`]),
  ];
}
