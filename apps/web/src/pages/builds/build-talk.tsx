/** What was said in a build, in order. */
import type { ReactNode } from "react";
import { useTexts } from "../../app/app.ts";
import type { Texts } from "../../i18n/texts.ts";
import { SafeMarkdown } from "../../ui/safe-text/safe-markdown.tsx";
import { BuildChecks } from "./build-checks.tsx";
import { questionsIn, type BuildLine } from "./build-story.ts";
import type { BuildsHttp } from "./builds-http.ts";

export interface BuildTalkProps {
  readonly id: string;
  readonly http: Pick<BuildsHttp, "checks">;
  readonly prompt: string;
  readonly agent: string;
  readonly lines: readonly BuildLine[];
  readonly isWorking: boolean;
}

export function BuildTalk(props: BuildTalkProps): ReactNode {
  const { id, http, prompt, agent, lines, isWorking } = props;
  const words = useTexts().builds;
  return (
    <div role="log" aria-label={words.talkLabel}>
      <ol className="talk">
        <li className="talk-line" data-who="person">
          <span className="talk-who">{words.you}</span>
          <div className="talk-bubble">
            <p className="as-written">{prompt}</p>
          </div>
        </li>
        {lines.map((line) => (
          <li key={line.seq} className="talk-line" data-who={line.who}>
            <span className="talk-who">{nameOf(line, agent, words)}</span>
            <div className="talk-bubble">
              <BuildLineText {...{ id, http, line }} />
            </div>
          </li>
        ))}
        {isWorking && (
          <li className="talk-line" data-who="agent">
            <span className="talk-who">{agent}</span>
            <div className="talk-bubble is-busy">
              <span className="dots" aria-hidden="true">
                <i /> <i /> <i />
              </span>
              <span className="visually-hidden">{words.thinking}</span>
            </div>
          </li>
        )}
      </ol>
    </div>
  );
}

interface BuildLineProps extends Pick<BuildTalkProps, "id" | "http"> {
  readonly line: BuildLine;
}

function BuildLineText({ id, http, line }: BuildLineProps): ReactNode {
  const words = useTexts().builds;
  switch (line.who) {
    case "agent":
    case "backend":
      return <SafeMarkdown text={line.text} cutNote={words.cut} />;
    case "asks":
      return (
        <>
          {"questions" in line.questionSet && <p>{line.questionSet.prompt}</p>}
          {questionsIn(line.questionSet).map(({ question_id, prompt }) => (
            <p key={question_id} className="as-written">
              {prompt}
            </p>
          ))}
        </>
      );
    case "permission":
      return (
        <>
          <p>{words.permissionAsked(line.permission.permission.tool)}</p>
          {line.outcome !== null && (
            <>
              <pre className="raw">{line.permission.permission.input}</pre>
              <p>{words.permissionOutcomes[line.outcome.outcome](line.outcome.by ?? "")}</p>
            </>
          )}
        </>
      );
    case "checks":
      return <BuildChecks {...{ id, http, line }} />;
    case "person":
      return line.answers.map(({ prompt, answer }) => (
        <p key={prompt} className="as-written">
          {line.answers.length > 1 && <small>{prompt}</small>}
          {answer === "" ? <em>{words.leftBlank}</em> : answer}
        </p>
      ));
  }
}

function nameOf({ who }: BuildLine, agent: string, words: Texts["builds"]): string {
  if (who === "person") return words.you;
  return who === "backend" || who === "checks" ? words.system : agent;
}
