/** What is done for a task, as it is done: words and tools in the order they come, at their end while one does not scroll back. */
import { useEffect, useMemo, useState, type ReactNode } from "react";
import { useApp, useOffice, useTexts, useWorld } from "../../../app/app.ts";
import { Chip } from "../../../ui/controls.tsx";
import { useFollowEnd } from "../../../ui/follow-end.ts";
import { EMPTY_DRAFT, interleave } from "../../../world/drafts.ts";
import { mergeBySeq, type CallMoment } from "../../../world/moments.ts";
import { spanOf } from "../text/spans.ts";
import { useNow } from "../view/now.ts";
import { CallTerminal } from "./call-terminal.tsx";
import { stateOf, toolCallsOf, type ToolCall } from "./tool-calls.ts";

const MAX_SHOWN = 100;
const TICK_MS = 1_000;

export function TaskStream({ taskId }: { readonly taskId: string }): ReactNode {
  const words = useTexts();
  const calls = useCalls(taskId);
  const draft = useWorld(({ drafts }) => drafts.get(taskId)) ?? EMPTY_DRAFT;
  const isPast = useOffice(({ past }) => past !== null);
  const left = calls.length - MAX_SHOWN;
  const items = interleave(isPast ? EMPTY_DRAFT : draft, calls.slice(-MAX_SHOWN));
  const isQuiet = isPast || (draft.text === "" && calls.every(({ result }) => result !== null));
  const { scroller, isAtEnd, jump } = useFollowEnd(items);
  return (
    <section className="stack is-tight">
      <h4>
        {words.taskStream} {calls.length > 0 && <Chip>{words.callsCount(calls.length)}</Chip>}
      </h4>
      {left > 0 && <p className="hint">{words.callsEarlier(left)}</p>}
      {draft.dropped > 0 && !isPast && <p className="hint">{words.streamDropped}</p>}
      {items.length > 0 && (
        <div className="stream">
          <ol className="calls" ref={scroller} tabIndex={0} aria-label={words.taskStream}>
            {items.map((item) => (
              <li key={item.key}>
                {item.kind === "call" ? (
                  <Call call={item.call} />
                ) : (
                  <pre className="stream-words" dir="auto">
                    {item.text}
                  </pre>
                )}
              </li>
            ))}
          </ol>
          {!isAtEnd && (
            <button type="button" className="button is-small stream-latest" onClick={jump}>
              {words.streamLatest}
            </button>
          )}
        </div>
      )}
      {isQuiet && <p className="hint">{words.taskQuiet}</p>}
    </section>
  );
}

/** What was before this page was opened is read; what happens since is heard. */
function useCalls(taskId: string): readonly ToolCall[] {
  const { http } = useApp();
  const isConnected = useWorld(({ status }) => status.state === "connected");
  const live = useWorld(({ calls }) => calls);
  const until = useOffice(({ past }) => past?.look.seq);
  const [read, setRead] = useState<readonly CallMoment[]>([]);
  useEffect(() => {
    let isWanted = true;
    const readPast = async (): Promise<void> => {
      const found = await http.readCalls(taskId);
      if (isWanted && found !== null) setRead(found);
    };
    void readPast();
    return () => {
      isWanted = false;
    };
  }, [http, taskId, isConnected]);
  return useMemo(
    () => toolCallsOf(mergeBySeq(read, live), taskId, until),
    [read, live, taskId, until],
  );
}

function Call({ call }: { readonly call: ToolCall }): ReactNode {
  const words = useTexts();
  const { tool, input, command, gist, result } = call;
  const state = stateOf(call);
  const terminal = useWorld(({ terminals }) => terminals.get(call.key));
  const isCommand = command !== undefined || terminal !== undefined;
  // What runs is watched; what has been read stays open.
  const [isOpen, setIsOpen] = useState(state === "going" && command !== undefined);
  return (
    <details
      className="call"
      data-state={state}
      open={isOpen}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>
        <span className="call-mark" aria-hidden="true" />
        <span className="call-what">
          <span className="call-tool">{tool}</span>
          <span className="hint call-gist">{gist}</span>
        </span>
        <span className="hint call-how">
          {words.callStates[state]} · <Took call={call} />
        </span>
      </summary>
      <div className="call-body">
        {!isOpen ? null : isCommand ? (
          <CallTerminal call={call} terminal={terminal} />
        ) : (
          <>
            <Passage title={words.input} {...input} />
            {result !== null && <Passage title={words.result} {...result} />}
          </>
        )}
      </div>
    </details>
  );
}

function Took({ call: { startedAt, result } }: { readonly call: ToolCall }): ReactNode {
  return result === null ? <Going since={startedAt} /> : <Span ms={result.at - startedAt} />;
}

function Going({ since }: { readonly since: number }): ReactNode {
  return <Span ms={useNow(TICK_MS) - since} />;
}

function Span({ ms }: { readonly ms: number }): ReactNode {
  const words = useTexts();
  // What is quick is told exactly: that is where the differences are.
  return ms < 1_000 ? words.milliseconds(Math.max(0, Math.round(ms))) : spanOf(ms, words);
}

interface PassageProps {
  readonly title: string;
  readonly text: string;
  readonly isCut: boolean;
}

function Passage({ title, text, isCut }: PassageProps): ReactNode {
  const words = useTexts();
  return (
    <div className="stack is-tight">
      <span className="label">{title}</span>
      <pre className="draft" tabIndex={0}>
        {text === "" ? words.callNothing : text}
      </pre>
      {isCut && <p className="hint">{words.cut}</p>}
    </div>
  );
}
