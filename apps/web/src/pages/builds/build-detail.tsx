/** One build: its conversation, its steps, what it asks, its result. */
import { useEffect, useMemo, useState, type ReactNode } from "react";
import { useStore } from "zustand";
import { useApp, useTexts } from "../../app/app.ts";
import { BROWSER_STREAMS } from "../../app/server/browser-streams.ts";
import type { JsonResponse } from "../../app/server/fetch-json.ts";
import type { Gateway } from "../../app/use-gateway.ts";
import { useAgentName } from "../../ui/agent-names.ts";
import { Button, Chip } from "../../ui/controls.tsx";
import { Link } from "../../ui/link.tsx";
import { SafeMarkdown } from "../../ui/safe-text/safe-markdown.tsx";
import { useRead } from "../../ui/use-read.ts";
import { ownerOfBuild } from "../../ui/workspace-files/files-http.ts";
import { FilesSection } from "../../ui/workspace-files/files-section.tsx";
import { followBuild, type BuildFeedView } from "./build-feed.ts";
import { BuildFiles } from "./build-files.tsx";
import { BuildHandover } from "./build-handover.tsx";
import {
  doneSteps,
  isAwaiting,
  questionSetId,
  type BuildAnswer,
  type BuildEnd,
  type BuildStory,
} from "./build-story.ts";
import { BuildTalk } from "./build-talk.tsx";
import type { BuildsHttp } from "./builds-http.ts";
import { PermissionCards } from "./permission-card.tsx";
import { QuestionForm } from "./question-form.tsx";
import { Stepper } from "./stepper.tsx";

export interface BuildDetailProps {
  readonly id: string;
  readonly http: BuildsHttp;
  readonly gateway: Gateway;
  /** The list beside it wants to know. */
  readonly onChange: () => void;
}

export function BuildDetail({ id, http, gateway, onChange }: BuildDetailProps): ReactNode {
  const words = useTexts().builds;
  const { navigation, notices } = useApp();
  const answer = useRead(id, () => http.get(id));
  const feed = useMemo(() => followBuild(id, BROWSER_STREAMS), [id]);
  useEffect(() => () => feed.close(), [feed]);
  const { story, isConnected } = useStore(feed.store);
  const nameOf = useAgentName();
  const [isAsking, hasEnded] = [isAwaiting(story), story.end !== null];
  useEffect(onChange, [onChange, isAsking, hasEnded]);

  if (answer === undefined) return null;
  if (!answer.ok) return <p className="builds-empty">{words.unknown}</p>;

  const { build } = answer.value;
  const report = (response: JsonResponse<unknown>, done: string): void =>
    response.ok ? notices.say(done) : notices.say(words.refused(response.message), "refused");
  const onAnswer = async (answers: readonly BuildAnswer[]): Promise<void> =>
    report(await http.answer(id, answers), words.answered);
  const onCancel = async (): Promise<void> => report(await http.cancel(id), words.cancelled);
  const onRetry = async (): Promise<void> => {
    const { prompt, agent: handle, repository } = build;
    const started = await http.start({ prompt, agent: handle, repository });
    if (!started.ok) return notices.say(words.refused(started.message), "refused");
    onChange();
    navigation.go(`/builds/${encodeURIComponent(started.value.id)}`);
  };
  const agent = nameOf(build.agent);
  return (
    <article className="build-detail">
      <header className="build-head">
        <Link to="/builds" className="list-back">
          ← {words.listTitle}
        </Link>
        <h1 className="as-written">{firstLine(build.prompt)}</h1>
        <div className="row">
          <StageChip story={story} isConnected={isConnected} />
          <Chip>{agent}</Chip>
          {build.repository !== undefined && <Chip>{build.repository}</Chip>}
          <Link to={`/chat/${encodeURIComponent(build.session_key)}`} className="build-link">
            {words.openTalk}
          </Link>
          {!hasEnded && (
            <Button look="small danger" onClick={() => void onCancel()}>
              {words.cancel}
            </Button>
          )}
        </div>
      </header>
      <div className="build-body">
        <div className="build-main">
          <BuildTalk
            {...{ id, http }}
            prompt={build.prompt}
            agent={agent}
            lines={story.lines}
            isWorking={!isAsking && !hasEnded}
          />
          {story.questionSets.map((questionSet) => (
            <QuestionForm
              key={questionSetId(questionSet)}
              questionSet={questionSet}
              onAnswer={onAnswer}
            />
          ))}
          <PermissionCards {...{ permissions: story.permissions, agent, http, gateway }} />
          {story.end !== null && <Ending end={story.end} onRetry={onRetry} />}
          <BuildFiles
            id={id}
            http={http}
            version={`${doneSteps(story.steps)} ${isAsking} ${hasEnded}`}
          />
          <BuildHandover id={id} http={http} version={`${doneSteps(story.steps)} ${hasEnded}`} />
          <FilesSection owner={ownerOfBuild(id)} at={undefined} version={`${story.seq}`} />
        </div>
        <Stepper steps={story.steps} />
      </div>
    </article>
  );
}

function StageChip({ story, isConnected }: BuildFeedView): ReactNode {
  const words = useTexts().builds;
  if (!isConnected) return <Chip>{words.lost}</Chip>;
  const stage = stageOf(story);
  return (
    <Chip tone={TONES[stage]} role="status">
      {words.stages[stage]}
    </Chip>
  );
}

interface EndingProps {
  readonly end: BuildEnd;
  /** Starts the same request again, as a build of its own. */
  readonly onRetry: () => Promise<void>;
}

function Ending({ end, onRetry }: EndingProps): ReactNode {
  const words = useTexts().builds;
  const [isStarting, setIsStarting] = useState(false);
  const retry = async (): Promise<void> => {
    setIsStarting(true);
    await onRetry();
    setIsStarting(false);
  };
  if (end.how === "failed") {
    return (
      <section className="build-end" data-tone="bad">
        <h2>{words.failedTitle}</h2>
        <p className="as-written">{end.reason ?? words.noReason}</p>
        <Button look="primary" disabled={isStarting} onClick={() => void retry()}>
          {words.retry}
        </Button>
      </section>
    );
  }
  return (
    <section className="build-end" data-tone="good">
      <h2>{words.result}</h2>
      {end.output === undefined ? (
        <p>{words.noOutput}</p>
      ) : (
        <SafeMarkdown text={end.output} cutNote={words.cut} />
      )}
    </section>
  );
}

export const TONES = {
  working: undefined,
  waiting: "asks",
  completed: "good",
  failed: "bad",
  cancelled: "bad",
} as const;

function stageOf(story: BuildStory): "working" | "waiting" | "completed" | "failed" {
  const { end } = story;
  if (end !== null) return end.how === "complete" ? "completed" : "failed";
  return isAwaiting(story) ? "waiting" : "working";
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? text;
}
