import type { WorldArtifact } from "@atrium/wire/world";
import type { ReactNode } from "react";
import { useAppearance, useOffice, useTexts } from "../../../app/app.ts";
import { pathOf } from "../../../app/route.ts";
import type { Texts } from "../../../i18n/texts.ts";
import { Link } from "../../../ui/link.tsx";
import { spentOf } from "../text/cost-text.ts";
import { personIn } from "../text/event-text.ts";
import { spanOf } from "../text/spans.ts";

/** What was brought to its end: what it cost, how long it took, who approved it. */
export function TrophiesPanel(): ReactNode {
  const words = useTexts();
  const { language } = useAppearance();
  const snapshot = useOffice((shown) => shown.snapshot);
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
          project && spentOf(project, words, language),
          project?.ended_at !== undefined &&
            words.trophyTime(spanOf(project.ended_at - project.created_at, words)),
          checksOf(projectId, snapshot?.artifacts ?? [], words),
          project?.deliveries?.length && words.work.delivered(project.deliveries.at(-1)?.ref ?? ""),
          reviewers.size > 0 &&
            words.trophyReviewer([...reviewers].map((name) => personIn(name, words)).join(", ")),
        ];
        return (
          <li key={`${decor_id} ${anchor_id}`} className="trophy">
            <svg className="trophy-cup" viewBox="0 0 24 24" aria-hidden="true">
              <path d="M6 3h12v2h3c0 4-1.5 6-4 6.6A6 6 0 0 1 13 15v3h4v3H7v-3h4v-3a6 6 0 0 1-4-3.4C4.5 11 3 9 3 5h3z" />
            </svg>
            <div>
              <h3>
                <Link to={pathOf("office", `project:${projectId}`)}>
                  <bdi>{project?.title ?? projectId}</bdi>
                </Link>
              </h3>
              <p className="hint">{facts.filter(Boolean).join(" · ")}</p>
            </div>
          </li>
        );
      })}
    </ul>
  );
}

/** Of all changes of a project, as far as any was checked. */
function checksOf(
  projectId: string,
  artifacts: readonly WorldArtifact[],
  { work: words }: Pick<Texts, "work">,
): string | undefined {
  const results = artifacts
    .filter(({ project_id }) => project_id === projectId)
    .flatMap(({ checks }) => checks?.results ?? []);
  const passed = results.filter(({ verdict }) => verdict === "passed").length;
  return results.length === 0 ? undefined : words.checksOf(passed, results.length);
}
