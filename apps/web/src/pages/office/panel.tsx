/** What is open beside the office. Escape closes it. */
import { Fragment, useEffect, useRef, type ReactNode } from "react";
import { useTexts } from "../../app/app.ts";
import type { Texts } from "../../i18n/texts.ts";
import { ConnectPanel } from "../../ui/agents/connect-panel.tsx";
import { IconButton } from "../../ui/controls.tsx";
import { BoardPanel } from "./board/board-panel.tsx";
import { CodePanel } from "./code/code-panel.tsx";
import { AgentPanel } from "./panels/agent-panel.tsx";
import { AskForm } from "./panels/ask-panel.tsx";
import { DecisionPanel } from "./panels/decision-panel.tsx";
import { DeskPanel } from "./panels/desk-panel.tsx";
import { OutlinePanel } from "./panels/outline-panel.tsx";
import { ProjectPanel } from "./panels/project-panel.tsx";
import { TrophiesPanel } from "./panels/trophies-panel.tsx";
import { PlanSheet } from "./plan/plan-sheet.tsx";
import { ZonePanel } from "./pointing/zone-panel.tsx";
import { TaskPanel } from "./task/task-panel.tsx";
import { TimelinePanel } from "./timeline/timeline-panel.tsx";
import { useOpen } from "./view/camera-control.ts";
import { useCover } from "./view/covers.ts";
import { useEscape } from "./view/use-escape.ts";
import { showOf, type PanelName, type View } from "./view/view.ts";

export function Panel({ view }: { readonly view: View }): ReactNode {
  const words = useTexts();
  const open = useOpen();
  const cover = useCover();
  const heading = useRef<HTMLHeadingElement>(null);
  const show = showOf(view);
  const [titleOf, content] = view.kind === "panel" ? PANELS[view.name] : DETAILS[view.kind];
  const close = (): void => {
    open(undefined);
    document.getElementById("content")?.focus();
  };
  // Whoever opened it, by whichever key, goes on from its heading.
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, [show]);
  useEscape(close);
  return (
    <section
      ref={cover}
      className="panel"
      data-panel={view.kind === "panel" ? view.name : view.kind}
      aria-labelledby="panel-title"
    >
      <header className="panel-head">
        <h2 id="panel-title" ref={heading} tabIndex={-1}>
          {titleOf(words)}
        </h2>
        <IconButton label={words.close} onClick={close}>
          <span aria-hidden="true">×</span>
        </IconButton>
      </header>
      <div className="panel-body">
        <Fragment key={show}>{content(view.kind === "panel" ? "" : view.id)}</Fragment>
      </div>
    </section>
  );
}

/** What there is of a result that was opened by its address and is not there; one that is takes the room's place. */
function ReviewGone(): ReactNode {
  return <p className="hint">{useTexts().reviewGone}</p>;
}

type Content = readonly [title: (words: Texts) => string, show: (id: string) => ReactNode];

/** One thing looked at closely, by its kind. */
const DETAILS: { readonly [Kind in Exclude<View["kind"], "panel">]: Content } = {
  task: [(words) => words.taskTitle, (id) => <TaskPanel taskId={id} />],
  artifact: [(words) => words.reviewTitle, () => <ReviewGone />],
  agent: [(words) => words.agent, (id) => <AgentPanel agentId={id} />],
  decision: [(words) => words.decisionTitle, (id) => <DecisionPanel decisionId={id} />],
  project: [(words) => words.taskProject, (id) => <ProjectPanel projectId={id} />],
  code: [(words) => words.views.code, (id) => <CodePanel taskId={id} />],
  plan: [(words) => words.plan.sheet, (id) => <PlanSheet projectId={id} />],
  zone: [(words) => words.zoneTitle, (id) => <ZonePanel zone={id} />],
};

const PANELS: { readonly [Name in PanelName]: Content } = {
  ask: [(words) => words.askTitle, () => <AskForm />],
  desk: [(words) => words.views.desk, () => <DeskPanel />],
  board: [(words) => words.views.board, () => <BoardPanel />],
  code: [(words) => words.views.code, () => <CodePanel />],
  timeline: [(words) => words.views.timeline, () => <TimelinePanel />],
  connect: [(words) => words.first.connectTitle, () => <ConnectPanel />],
  trophies: [(words) => words.views.trophies, () => <TrophiesPanel />],
  outline: [(words) => words.outlineTitle, () => <OutlinePanel />],
};
