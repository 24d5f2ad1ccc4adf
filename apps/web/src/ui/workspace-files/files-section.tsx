/** The files of a task or a build, in a part of the page that is closed at first; what shows them is loaded then. */
import { lazy, Suspense, useState, type ReactNode } from "react";
import { useTexts } from "../../app/app.ts";
import type { FilesViewProps } from "./files-view.tsx";

const FilesView = lazy(async () => ({ default: (await import("./files-view.tsx")).FilesView }));

export interface FilesSectionProps extends FilesViewProps {
  /** What can be done with them. */
  readonly children?: ReactNode;
}

export function FilesSection({ children, ...files }: FilesSectionProps): ReactNode {
  const { workshop: words, loading } = useTexts();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="files" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{words.files}</summary>
      {isOpen && (
        <Suspense fallback={<p className="hint">{loading}</p>}>
          <FilesView {...files} />
          {children}
        </Suspense>
      )}
    </details>
  );
}
