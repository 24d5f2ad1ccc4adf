import type { ReactNode } from "react";
import { useChosen, useShown, useWords } from "../../../shell/house.ts";
import { spanOf } from "../spans.ts";

/** What was brought to its end: what it cost, how long it took, who approved it. */
export function TrophiesPanel(): ReactNode {
  const words = useWords();
  const { language } = useChosen();
  const snapshot = useShown((shown) => shown.snapshot);
  const trophies = snapshot?.office_decor ?? [];
  if (trophies.length === 0) return <p className="hint">{words.trophiesEmpty}</p>;
  return (
    <ul className="trophies">
      {trophies.map(({ decor_id, anchor_id, unlocked_by_project_id: projectId }) => {
        const project = snapshot?.projects.find(({ project_id }) => project_id === projectId);
        const reviewers = new Set(
          snapshot?.artifacts.flatMap(({ project_id, reviewer }) =>
            project_id === projectId && reviewer !== undefined ? [reviewer] : [],
          ),
        );
        const facts = [
          project && words.trophyCost(project.tokens.toLocaleString(language)),
          project?.ended_at !== undefined &&
            words.trophyTime(spanOf(project.ended_at - project.created_at, words)),
          reviewers.size > 0 && words.trophyReviewer([...reviewers].join(", ")),
        ];
        return (
          <li key={`${decor_id} ${anchor_id}`} className="trophy">
            <span className="trophy-cup" aria-hidden="true">
              🏆
            </span>
            <div>
              <h3>{project?.title ?? projectId}</h3>
              <p className="hint">{facts.filter(Boolean).join(" · ")}</p>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
