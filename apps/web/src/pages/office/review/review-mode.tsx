/** A result under review, in place of the room: a change line by line, or a document. Escape goes back to the office. */
import type { WorldArtifact } from "@atrium/wire/world";
import { lazy, Suspense, useMemo, type ReactNode } from "react";
import { useOffice, useTexts } from "../../../app/app.ts";
import { createReviewNotes } from "./change/review-notes.ts";
import { DocumentReview } from "./document-review.tsx";

const ChangeReview = lazy(async () => ({
  default: (await import("./change-review.tsx")).ChangeReview,
}));

export function ReviewMode({ artifact }: { readonly artifact: WorldArtifact }): ReactNode {
  const words = useTexts();
  const { artifact_id: artifactId, change } = artifact;
  const notes = useMemo(() => createReviewNotes(localStorage, artifactId), [artifactId]);
  if (change === undefined) return <DocumentReview {...{ artifact, notes }} />;
  return (
    <Suspense
      fallback={
        <section className="panel review" data-panel="artifact">
          <p className="hint review-note">{words.loading}</p>
        </section>
      }
    >
      <ChangeReview {...{ artifact, notes }} />
    </Suspense>
  );
}

export function useReviewed(artifactId: string | undefined): WorldArtifact | undefined {
  return useOffice(({ snapshot }) =>
    snapshot?.artifacts.find(({ artifact_id }) => artifact_id === artifactId),
  );
}
