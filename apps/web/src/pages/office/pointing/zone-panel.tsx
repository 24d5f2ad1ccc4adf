/** Who is in a zone, and what can be done with them: give them what waits, pause what they do, talk to one. */
import { cozyOffice } from "@atrium/core";
import { useState, type ReactNode } from "react";
import { useCanAct, useApp, useOffice, useTexts } from "../../../app/app.ts";
import { useSendCommand } from "../../../app/feedback/send-command.ts";
import { pathOf } from "../../../app/route.ts";
import type { Bounds } from "../../../office/marks/floor-marks.ts";
import { figuresAt, type Figure } from "../../../office/people/figures.ts";
import { useCrewNames } from "../../../ui/agent-names.ts";
import { Button } from "../../../ui/controls.tsx";
import { Link } from "../../../ui/link.tsx";
import { shownTime } from "../../../world/shown-office.ts";
import { whatItDoes } from "../text/agent-text.ts";
import { Swatch } from "../text/swatch.tsx";
import { useNow } from "../view/now.ts";
import { usePointing } from "./pointing-store.ts";
import { distributeTasks, peopleIn, projectsOf, readZone, waitingTasks } from "./zone.ts";

export function ZonePanel({ zone }: { readonly zone: string }): ReactNode {
  const words = useTexts();
  const bounds = readZone(zone);
  if (bounds === undefined) return <p className="hint">{words.zoneGone}</p>;
  return <Zone bounds={bounds} />;
}

function Zone({ bounds }: { readonly bounds: Bounds }): ReactNode {
  const words = useTexts();
  const people = usePeopleIn(bounds);
  const crew = people.filter(({ agent }) => agent.is_visitor !== true);
  return (
    <div className="stack">
      <p className="hint">
        {words.zoneSize(bounds.width.toFixed(1), bounds.depth.toFixed(1), people.length)}
      </p>
      {people.length === 0 && <p>{words.zoneEmpty}</p>}
      <ul className="zone-people">
        {people.map((figure) => (
          <PersonInZone key={figure.agent.agent_id} figure={figure} />
        ))}
      </ul>
      {crew.length > 0 && (
        <>
          <GiveTasks bounds={bounds} agentIds={crew.map(({ agent }) => agent.agent_id)} />
          <PauseProjects bounds={bounds} agentIds={crew.map(({ agent }) => agent.agent_id)} />
        </>
      )}
    </div>
  );
}

const LOOK_AGAIN_MS = 1_000;

function usePeopleIn(bounds: Bounds): readonly Figure[] {
  const { shown, world } = useApp();
  const office = useOffice((view) => view.office);
  // Time alone walks people in and out.
  useNow(LOOK_AGAIN_MS);
  const time = shownTime(shown.getState(), world.store.getState(), Date.now());
  return peopleIn(bounds, figuresAt(cozyOffice, office, time));
}

function PersonInZone({ figure }: { readonly figure: Figure }): ReactNode {
  const words = useTexts();
  const tasks = useOffice(({ office }) => office.tasks);
  const crew = useCrewNames();
  const { agent_id: agentId, name, look } = figure.agent;
  const handle = crew.find((each) => each.agentId === agentId)?.handle;
  return (
    <li className="row spread">
      <span className="row">
        <Swatch agentId={agentId} look={look} />
        <span>
          <Link to={pathOf("office", `agent:${agentId}`)}>{name}</Link>
          <small className="hint">{whatItDoes(figure, tasks, words)}</small>
        </span>
      </span>
      {handle !== undefined && (
        <Link to={pathOf("chat", handle)} className="button is-small">
          {words.pageNames.chat}
        </Link>
      )}
    </li>
  );
}

interface ForThem {
  readonly bounds: Bounds;
  readonly agentIds: readonly string[];
}

function GiveTasks({ bounds, agentIds }: ForThem): ReactNode {
  const words = useTexts();
  const act = useSendCommand();
  const canAct = useCanAct();
  const pointing = usePointing();
  const tasks = useOffice(({ office }) => office.tasks);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const waiting = waitingTasks(tasks);
  if (waiting.length === 0) return <p className="hint">{words.zoneNoTasks}</p>;
  const chosen = waiting.filter(({ task_id }) => !left.has(task_id));
  const give = (): void => {
    pointing.tellZone(bounds, "assign");
    const ids = chosen.map(({ task_id }) => task_id);
    for (const { taskId, agentId } of distributeTasks(ids, agentIds, tasks)) {
      void act({ name: "assign_task", data: { task_id: taskId, agent_id: agentId } });
    }
  };
  return (
    <section className="stack is-tight">
      <h3>{words.zoneTasks}</h3>
      {waiting.map(({ task_id: taskId, title }) => (
        <label key={taskId} className="zone-task">
          <input
            type="checkbox"
            checked={!left.has(taskId)}
            onChange={({ target }) => {
              const next = new Set(left);
              if (target.checked) next.delete(taskId);
              else next.add(taskId);
              setLeft(next);
            }}
          />
          <span>{title}</span>
        </label>
      ))}
      <Button look="primary" disabled={!canAct || chosen.length === 0} onClick={give}>
        {words.zoneGive(chosen.length, agentIds.length)}
      </Button>
    </section>
  );
}

function PauseProjects({ bounds, agentIds }: ForThem): ReactNode {
  const words = useTexts();
  const act = useSendCommand();
  const canAct = useCanAct();
  const pointing = usePointing();
  const snapshot = useOffice((shown) => shown.snapshot);
  if (snapshot === null) return null;
  const projects = projectsOf(new Set(agentIds), snapshot.tasks, snapshot.projects);
  if (projects.length === 0) return null;
  return (
    <section className="stack is-tight">
      <h3>{words.zoneProjects}</h3>
      {projects.map(({ project_id: projectId, title, status }) => {
        const isPaused = status === "paused";
        const turn = (): void => {
          pointing.tellZone(bounds, isPaused ? "resume" : "pause");
          const name = isPaused ? "resume_project" : "pause_project";
          void act({ name, data: { project_id: projectId } });
        };
        return (
          <div key={projectId} className="row spread">
            <span>{title}</span>
            <Button look="small" disabled={!canAct} onClick={turn}>
              {isPaused ? words.resumeProject : words.pauseProject}
            </Button>
          </div>
        );
      })}
    </section>
  );
}
