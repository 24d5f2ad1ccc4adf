/** What is open beside the office. Escape closes it. */
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from "react";
import { useTexts } from "../../app/app.ts";
import type { Texts } from "../../i18n/texts.ts";
import { BoardPanel } from "./board/board-panel.tsx";
import { AgentPanel } from "./panels/agent-panel.tsx";
import { AskPanel } from "./panels/ask-panel.tsx";
import { DecisionPanel } from "./panels/decision-panel.tsx";
import { DeskPanel } from "./panels/desk-panel.tsx";
import { OutlinePanel } from "./panels/outline-panel.tsx";
import { ProjectPanel } from "./panels/project-panel.tsx";
import { TrophiesPanel } from "./panels/trophies-panel.tsx";
import { ZonePanel } from "./pointing/zone-panel.tsx";
import { ReviewPanel } from "./review/review-panel.tsx";
import { TaskPanel } from "./task/task-panel.tsx";
import { TimelinePanel } from "./timeline/timeline-panel.tsx";
import { useOpen } from "./view/camera-control.ts";
import { useCover } from "./view/covers.ts";
import { showOf, type View } from "./view/view.ts";

export function Panel({ view }: { readonly view: View }): ReactNode {
  const words = useTexts();
  const open = useOpen();
  const cover = useCover();
  const heading = useRef<HTMLHeadingElement>(null);
  const show = showOf(view);
  const close = (): void => {
    open(undefined);
    document.getElementById("content")?.focus();
  };
  // Whoever opened it, by whichever key, goes on from its heading.
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, [show]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && !event.defaultPrevented) close();
  };
  return (
    <section
      ref={cover}
      className="panel"
      data-panel={view.kind}
      aria-labelledby="panel-title"
      onKeyDown={onKeyDown}
    >
      <header className="panel-head">
        <h2 id="panel-title" ref={heading} tabIndex={-1}>
          {titleOf(view, words)}
        </h2>
        <button type="button" className="icon-button" aria-label={words.close} onClick={close}>
          <span aria-hidden="true">×</span>
        </button>
      </header>
      <div className="panel-body">
        <Content key={show} view={view} />
      </div>
    </section>
  );
}

function Content({ view }: { readonly view: View }): ReactNode {
  switch (view.kind) {
    case "task":
      return <TaskPanel taskId={view.id} />;
    case "artifact":
      return <ReviewPanel artifactId={view.id} />;
    case "agent":
      return <AgentPanel agentId={view.id} />;
    case "decision":
      return <DecisionPanel decisionId={view.id} />;
    case "project":
      return <ProjectPanel projectId={view.id} />;
    case "zone":
      return <ZonePanel zone={view.id} />;
    case "panel":
      switch (view.name) {
        case "ask":
          return <AskPanel />;
        case "desk":
          return <DeskPanel />;
        case "board":
          return <BoardPanel />;
        case "timeline":
          return <TimelinePanel />;
        case "trophies":
          return <TrophiesPanel />;
        case "outline":
          return <OutlinePanel />;
      }
  }
}

function titleOf(view: View, words: Texts): string {
  switch (view.kind) {
    case "task":
      return words.taskTitle;
    case "artifact":
      return words.reviewTitle;
    case "agent":
      return words.agentTitle;
    case "decision":
      return words.decisionTitle;
    case "project":
      return words.taskProject;
    case "zone":
      return words.zoneTitle;
    case "panel":
      switch (view.name) {
        case "ask":
          return words.askTitle;
        case "desk":
          return words.deskTitle;
        case "board":
          return words.boardTitle;
        case "timeline":
          return words.timelineTitle;
        case "trophies":
          return words.trophiesTitle;
        case "outline":
          return words.outlineTitle;
      }
  }
}
