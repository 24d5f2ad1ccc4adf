/** Builds as those who ask for them see them. */
import type { StartedBuild, BuildRow, BuildAnswer } from "@atrium/core";
import type { ParamsOf, ResultOf } from "@atrium/wire";
import type {
  buildAnswer,
  buildDiagnosis,
  BuildFile as FileView,
  BuildStepId,
  BuildView,
} from "@atrium/wire/build";
import { encodeAsked, encodeCheck, encodePermission } from "../../../builds/encode-feed-event.ts";
import type { StoredBuildFile } from "../../../builds/read-build-files.ts";
import type { BuildDiagnostic } from "../../../builds/read-builds.ts";

type OddView = ResultOf<typeof buildDiagnosis>["lines"][number];

export function viewBuild(row: BuildRow): BuildView {
  const { build, createdAt, updatedAt, lastSeq } = row;
  const { output, reason, waits, repository } = build;
  const question = build.asked ?? waits.find((wait) => wait.kind === "question")?.asked ?? null;
  const isWaiting = build.stage === "waiting" || waits.length > 0;
  const permissions = waits.flatMap((wait) => {
    return wait.kind === "permission" ? [encodePermission(wait, build.id)] : [];
  });
  return {
    id: build.id,
    session_id: build.sessionId,
    session_key: build.conversationKey,
    agent: build.handle,
    prompt: build.prompt,
    ...(repository !== null && { repository }),
    stage: isWaiting ? "waiting" : build.stage,
    steps: viewSteps(row),
    ...(isWaiting && { waits_for: viewWaits(build) }),
    ...(isWaiting && question !== null && { question: encodeAsked(question).payload }),
    ...(permissions.length > 0 && { permissions }),
    ...(build.checked.length > 0 && { checks: build.checked.map(encodeCheck) }),
    ...(output !== null && { output }),
    ...(reason !== null && { reason }),
    created_at: createdAt,
    updated_at: updatedAt,
    seq: lastSeq,
    rejected: build.rejected,
  };
}

function viewWaits({ asked, waits }: StartedBuild): NonNullable<BuildView["waits_for"]> {
  const own = asked === null ? [] : [asked.setId ?? asked.questions[0]?.id ?? ""];
  return [
    ...own.map((id) => ({ kind: "question", id }) as const),
    ...waits.map(({ kind, id }) => ({ kind, id })),
  ];
}

function viewSteps({ build: { steps, done, current } }: BuildRow): BuildView["steps"] {
  const reached = steps.findLastIndex(({ id }) => id === current || done.includes(id));
  return steps.map(({ id, title, description }, place) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a build is started with these steps only
    const step_id = id as BuildStepId;
    const state = done.includes(id)
      ? "done"
      : id === current
        ? "active"
        : place < reached
          ? "skipped"
          : "pending";
    return { step_id, title, description, state };
  });
}

export function viewFile(id: string, file: StoredBuildFile): FileView {
  const { fileId, name, mediaType, bytes, at } = file;
  const path = `/api/builds/${encodeURIComponent(id)}/files/${encodeURIComponent(fileId)}`;
  return { file_id: fileId, name, media_type: mediaType, bytes, ts: at, path };
}

export function viewOddity({ seq, at, event }: BuildDiagnostic): OddView {
  const { type, why, text, origin } = event;
  const fate = type === "build.repaired" ? ("repaired" as const) : ("rejected" as const);
  const place = origin === null ? {} : { run_id: origin.runId, line: origin.line };
  return { seq, ts: at, fate, why, text, ...place };
}

export function readAnswers(
  answers: ParamsOf<typeof buildAnswer>["answers"],
): readonly BuildAnswer[] {
  return answers.map(({ question_id: questionId, option_id: optionId, text }) => {
    return { questionId, optionId: optionId ?? null, text: text ?? null };
  });
}
