/** The text twin: everything the picture shows, as headings and lists that follow the office live. */
import type { Snapshot } from "@atrium/client";
import type { ReactNode } from "react";
import { useAppearance, useOffice, useTexts } from "../../../app/app.ts";
import { pathOf } from "../../../app/route.ts";
import { translateName } from "../../../i18n/translate-name.ts";
import { signatureOf } from "../../../office/labels/signature.ts";
import { askersIn } from "../../../office/people/figures.ts";
import { isAskingNow, isGhost } from "../../../office/people/pose.ts";
import { Button, IconButton } from "../../../ui/controls.tsx";
import { Link } from "../../../ui/link.tsx";
import { usePlaces } from "../pointing/marks.ts";
import { usePointing } from "../pointing/pointing-store.ts";
import { useChooseZone } from "../pointing/stage-pointing.ts";
import { whatItDoes } from "../text/agent-text.ts";
import { spentOf } from "../text/cost-text.ts";
import { namesIn } from "../text/event-text.ts";
import { describeJoined } from "../text/joined-text.ts";
import { useNow } from "../view/now.ts";

type PeopleProps = Pick<Snapshot, "agents" | "tasks" | "decisions">;

/** Time alone makes someone unheard of. */
const NOW_TICK_MS = 10_000;

export function OutlinePanel(): ReactNode {
  const words = useTexts();
  const { language } = useAppearance();
  const snapshot = useOffice((shown) => shown.snapshot);
  if (snapshot === null) return <p className="hint">{words.loading}</p>;
  const { agents, projects, tasks, artifacts, decisions } = snapshot;
  const names = namesIn(snapshot);
  const shelf = artifacts.filter(({ status }) => status === "delivered");
  return (
    <div className="stack outline">
      <People agents={agents} tasks={tasks} decisions={decisions} />
      <Places />
      <section>
        <h3>{words.outlineProjects}</h3>
        {projects.length === 0 && <p className="hint">{words.outlineNoProjects}</p>}
        {projects.map(({ project_id, title, status, ...spent }) => (
          <section key={project_id}>
            <h4 dir="auto">
              {title} <span className="hint">{words.projectStatuses[status]}</span>
            </h4>
            {spent.tokens > 0 && <p className="hint">{spentOf(spent, words, language)}</p>}
            <ul>
              {tasks
                .filter((task) => task.project_id === project_id)
                .map((task) => (
                  <li key={task.task_id}>
                    <Link to={pathOf("office", `task:${task.task_id}`)}>
                      <bdi>{task.title}</bdi>
                    </Link>
                    {`: ${words.taskStatuses[task.status]}`}
                    {task.assignee !== undefined && `, ${names.agent(task.assignee)}`}
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </section>
      <section>
        <h3>{words.outlineShelf}</h3>
        {shelf.length === 0 && <p className="hint">{words.outlineShelfEmpty}</p>}
        <ul>
          {shelf.map(({ artifact_id, name, version }) => (
            <li key={artifact_id}>
              <Link to={pathOf("office", `artifact:${artifact_id}`)}>
                <bdi>{name}</bdi>
              </Link>
              {`, ${words.reviewVersion} ${version}`}
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

/** Everyone who is there, whose each is and what it does. */
function People({ agents, tasks, decisions }: PeopleProps): ReactNode {
  const words = useTexts();
  const now = useNow(NOW_TICK_MS);
  const askers = askersIn({ decisions });
  return (
    <section>
      <h3>{words.outlinePeople}</h3>
      <ul>
        {agents.map((agent) => (
          <li key={agent.agent_id}>
            <Link to={pathOf("office", `agent:${agent.agent_id}`)}>
              <bdi>{agent.name}</bdi>
            </Link>
            {", "}
            <bdi>
              {agent.joined === undefined
                ? [translateName(words.roles, agent.role), signatureOf(agent)]
                    .filter((part) => part !== "")
                    .join(", ")
                : describeJoined(agent.joined, words)}
            </bdi>
            {": "}
            <bdi>
              {whatItDoes(
                {
                  agent,
                  isAsking: isAskingNow(agent, askers.has(agent.agent_id), now),
                  isGhost: isGhost(agent, now),
                },
                tasks,
                words,
              )}
            </bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Zones for those who choose instead of drawing. */
function Places(): ReactNode {
  const words = useTexts();
  const pointing = usePointing();
  const chooseZone = useChooseZone();
  return (
    <section>
      <h3>{words.outlinePlaces}</h3>
      <ul className="outline-places">
        {usePlaces().map(({ poiId, name, spot, bounds }) => (
          <li key={poiId}>
            <Button look="small" onClick={() => chooseZone(bounds)}>
              {name}
            </Button>
            <IconButton
              className="icon-button is-small"
              label={words.pointAt(name)}
              title={words.pointAt(name)}
              onClick={() => pointing.point(spot, { zone: poiId })}
            >
              <span aria-hidden="true">◎</span>
            </IconButton>
          </li>
        ))}
      </ul>
    </section>
  );
}
