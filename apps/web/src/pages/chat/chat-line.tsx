/** One line of a conversation: words, or a tool with what came back. */
import type { ReactNode } from "react";
import { useStore } from "zustand";
import { useAppearance, useApp, useTexts } from "../../app/app.ts";
import { Button, Chip } from "../../ui/controls.tsx";
import { sizeText } from "../../ui/files/attached-files.ts";
import { SafeMarkdown } from "../../ui/safe-text/safe-markdown.tsx";
import type { StreamingAnswer } from "./conversation.ts";
import type { ChatLine } from "./transcript.ts";

export interface ChatLineProps {
  readonly line: ChatLine;
  readonly agent: string;
  /** Says again what got no answer; undefined where that is not possible. */
  readonly onRetry?: (() => void) | undefined;
}

export function ChatLineView({ line, agent, onRetry }: ChatLineProps): ReactNode {
  return line.kind === "tool" ? (
    <ToolLine line={line} />
  ) : (
    <WordsLine line={line} agent={agent} onRetry={onRetry} />
  );
}

interface WordsLineProps extends Omit<ChatLineProps, "line"> {
  readonly line: Extract<ChatLine, { kind: "words" }>;
}

function WordsLine({ line, agent, onRetry }: WordsLineProps): ReactNode {
  const words = useTexts().chat;
  const { language } = useAppearance();
  const { name: own } = useStore(useApp().person);
  const { who, sender = own, at, text, files, note, failure, tokens } = line;
  return (
    <li className="talk-line" data-who={who}>
      <span className="talk-who" dir="auto">
        {who === "agent" ? agent : sender === own ? words.you : sender}{" "}
        <time>{new Date(at).toLocaleTimeString(language)}</time>
      </span>
      <div className="talk-bubble" dir="auto">
        {who === "person" ? (
          text !== "" && <p className="as-written">{text}</p>
        ) : (
          <SafeMarkdown text={text} cutNote={words.cut} />
        )}
        {files.map(({ name, mediaType, bytes }, index) => (
          <p key={`${name} ${index}`} className="chat-file as-written">
            {words.attachedFile(name, mediaType, sizeText(bytes, language))}
          </p>
        ))}
        {failure !== undefined && <p className="chat-problem">{words.problem(failure)}</p>}
        {onRetry !== undefined && (
          <Button look="small" onClick={onRetry}>
            {words.retry}
          </Button>
        )}
      </div>
      {(note !== undefined || tokens !== undefined) && (
        <span className="row">
          {note !== undefined && <Chip tone="bad">{words[note]}</Chip>}
          {tokens !== undefined && <span className="chat-tokens">{words.tokens(tokens)}</span>}
        </span>
      )}
    </li>
  );
}

function ToolLine({ line }: { readonly line: Extract<ChatLine, { kind: "tool" }> }): ReactNode {
  const words = useTexts().chat;
  const { name, input, result } = line;
  return (
    <li className="talk-line chat-tool">
      <details>
        <summary>
          <code>{name}</code>{" "}
          {result === undefined && <span className="hint">{words.toolWaiting}</span>}
          {result?.isError === true && <Chip tone="bad">{words.toolFailed}</Chip>}
        </summary>
        <span className="label">{words.input}</span>
        <pre className="raw">{JSON.stringify(input, null, 2)}</pre>
        {result !== undefined && (
          <>
            <span className="label">{words.result}</span>
            <pre className="raw">{result.text}</pre>
          </>
        )}
      </details>
    </li>
  );
}

/** What is being said right now. */
export function StreamingLine({
  answer,
  agent,
}: {
  readonly answer: StreamingAnswer;
  readonly agent: string;
}): ReactNode {
  const words = useTexts().chat;
  return (
    <li className="talk-line" data-who="agent" aria-busy="true">
      <span className="talk-who" dir="auto">
        {agent}
      </span>
      <div className="talk-bubble" dir="auto">
        {answer.text !== "" && <SafeMarkdown text={answer.text} cutNote={words.cut} />}
        <span className="dots" aria-hidden="true">
          <i /> <i /> <i />
        </span>
        <span className={answer.tool === undefined ? "visually-hidden" : "hint"}>
          {answer.tool === undefined ? words.writing : words.usesTool(answer.tool)}
        </span>
      </div>
    </li>
  );
}
