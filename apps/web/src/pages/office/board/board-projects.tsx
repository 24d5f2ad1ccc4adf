/** The projects on the board: how far each is, its plan, and what becomes of it. */
import type { ReactNode } from "react";
import { useOffice, useTexts } from "../../../app/app.ts";
import { pathOf } from "../../../app/route.ts";
import { Link } from "../../../ui/link.tsx";

export function BoardProjects(): ReactNode {
  const { work: words, plan } = useTexts();
  const projects = useOffice(({ snapshot }) => snapshot?.projects) ?? [];
  const tasks = useOffice(({ snapshot }) => snapshot?.tasks) ?? [];
  const open = projects.filter(({ ended_at }) => ended_at === undefined);
  if (open.length === 0) return null;
  return (
    <ul className="plain-list board-projects">
      {open.map(({ project_id, title }) => {
        const mine = tasks.filter((task) => task.project_id === project_id);
        const done = mine.filter(({ status }) => status === "done").length;
        return (
          <li key={project_id} dir="auto">
            <Link to={pathOf("office", `project:${project_id}`)}>{title}</Link>{" "}
            <span className="hint">{words.progress(done, mine.length)}</span>{" "}
            <Link to={pathOf("office", `plan:${project_id}`)}>{plan.open}</Link>
          </li>
        );
      })}
    </ul>
  );
}
