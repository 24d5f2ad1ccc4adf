/** What else waits for a review, below the files of what one looks at. */
import type { ReactNode } from "react";
import { useOffice, useTexts } from "../../../app/app.ts";
import { pathOf } from "../../../app/route.ts";
import { Link } from "../../../ui/link.tsx";

export function ReviewQueue({ artifactId }: { readonly artifactId: string }): ReactNode {
  const { review: words } = useTexts();
  const snapshot = useOffice((shown) => shown.snapshot);
  const waiting = (snapshot?.artifacts ?? []).filter(
    ({ artifact_id: id, status }) => status === "delivered" && id !== artifactId,
  );
  if (waiting.length === 0) return null;
  const titles = new Map(snapshot?.tasks.map(({ task_id: id, title }) => [id, title]));
  return (
    <section className="stack is-tight review-queue">
      <h3 className="label">{words.queue}</h3>
      <ul className="plain-list">
        {waiting.map(({ artifact_id: id, task_id: taskId, name }) => (
          <li key={id}>
            <Link to={pathOf("office", `artifact:${id}`)}>
              <span dir="auto">{titles.get(taskId) ?? name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
