/** Why something could not be merged or taken back, and in which files. */
import type { ReactNode } from "react";
import { useTexts } from "../../../app/app.ts";

export interface MergeTroubleProps {
  readonly reason: string;
  readonly paths: readonly { readonly path: string }[];
}

export function MergeTrouble({ reason, paths }: MergeTroubleProps): ReactNode {
  const { work: words } = useTexts();
  return (
    <div role="status" className="merge-trouble">
      <p dir="auto">{words.mergeFailed(reason)}</p>
      <ConflictPaths paths={paths.map(({ path }) => path)} />
    </div>
  );
}

export function ConflictPaths({ paths }: { readonly paths: readonly string[] }): ReactNode {
  if (paths.length === 0) return null;
  return (
    <ul className="conflict-paths">
      {paths.map((path) => (
        <li key={path}>
          <code dir="ltr">{path}</code>
        </li>
      ))}
    </ul>
  );
}
