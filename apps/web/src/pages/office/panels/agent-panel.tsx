import type { ReactNode } from "react";
import { useOffice, useTexts, useWorld } from "../../../app/app.ts";
import { pathOf } from "../../../app/route.ts";
import { translateName } from "../../../i18n/translate-name.ts";
import { askersIn } from "../../../office/people/figures.ts";
import { isAskingNow, isGhost } from "../../../office/people/pose.ts";
import type { ScreenText } from "../../../office/state/office-state.ts";
import { Button, DetailTitle } from "../../../ui/controls.tsx";
import { useFollowEnd } from "../../../ui/follow-end.ts";
import { Link } from "../../../ui/link.tsx";
import { TerminalView } from "../../../ui/terminal/terminal-view.tsx";
import { usePointAtAgent } from "../pointing/stage-pointing.ts";
import { whatItDoes } from "../text/agent-text.ts";
import { Swatch } from "../text/swatch.tsx";
import { useCamera } from "../view/camera-control.ts";
import { useNow } from "../view/now.ts";
import { AttachCommand } from "./attach-command.tsx";
import { JoinedSession } from "./joined-session.tsx";

/** The end of what it writes, or of what its command prints. */
function Screen({ screen: { kind, title, text } }: { readonly screen: ScreenText }): ReactNode {
  const { scroller } = useFollowEnd(text);
  if (kind === "command") {
    return <TerminalView command={title || undefined} text={text} state="going" isCut={false} />;
  }
  return (
    <pre className="draft" ref={scroller} dir="auto" tabIndex={0}>
      {text}
    </pre>
  );
}

/** Time alone makes someone unheard of. */
const NOW_TICK_MS = 10_000;

/** One of the crew: what it does, for whom it answers, and what is on its screen. */
export function AgentPanel({ agentId }: { readonly agentId: string }): ReactNode {
  const words = useTexts();
  const camera = useCamera();
  const pointAt = usePointAtAgent();
  const agent = useOffice(({ snapshot }) =>
    snapshot?.agents.find(({ agent_id }) => agent_id === agentId),
  );
  const tasks = useOffice(({ snapshot }) => snapshot?.tasks) ?? [];
  const screen = useWorld(({ screens }) => screens.get(agentId));
  const hasQuestion = useOffice(
    ({ snapshot }) => snapshot !== null && askersIn(snapshot).has(agentId),
  );
  const isPast = useOffice(({ past }) => past !== null);
  const now = useNow(NOW_TICK_MS);
  if (agent === undefined) return <p className="hint">{words.agentGone}</p>;
  const {
    name,
    role,
    runtime,
    is_rehearsal: isRehearsal,
    is_visitor: isVisitor,
    because_seq,
    joined,
  } = agent;
  const isAsking = isAskingNow(agent, hasQuestion, now);
  const guestText = joined === undefined ? words.agentVisitor : words.joined.role;
  const roleText = isVisitor === true ? guestText : translateName(words.roles, role);
  const task = tasks.find(({ task_id }) => task_id === agent.task_id);
  return (
    <div className="stack agent-panel">
      <div className="row">
        <Swatch agentId={agentId} look={agent.look} />
        <div>
          <DetailTitle>{name}</DetailTitle>
          <p className="hint">{roleText}</p>
        </div>
      </div>
      <dl className="facts">
        <dt>{words.agentNow}</dt>
        <dd dir="auto">
          {whatItDoes({ agent, isAsking, isGhost: isGhost(agent, now) }, [], words)}
        </dd>
        {joined === undefined && (
          <>
            <dt>{words.taskTitle}</dt>
            <dd dir="auto">
              {task === undefined ? (
                words.agentNoTask
              ) : (
                <Link to={pathOf("office", `task:${task.task_id}`)}>{task.title}</Link>
              )}
            </dd>
          </>
        )}
        {runtime !== undefined && joined === undefined && (
          <>
            <dt>{words.runtime}</dt>
            <dd>{isRehearsal === true ? words.agentRehearsal : runtime}</dd>
          </>
        )}
      </dl>
      {joined !== undefined && <JoinedSession agent={agent} joined={joined} isAsking={isAsking} />}
      <AttachCommand agentId={agentId} />
      {because_seq !== undefined && <p className="hint">{words.agentBecause(because_seq)}</p>}
      {screen !== undefined && !isPast && (
        <section className="stack is-tight">
          <h4>{words.agentWriting}</h4>
          <Screen screen={screen} />
        </section>
      )}
      <div className="row">
        <Button onClick={() => camera.follow(agentId)}>{words.agentFollow}</Button>
        <Button onClick={() => pointAt(agentId)}>{words.pointAt(name)}</Button>
      </div>
    </div>
  );
}
