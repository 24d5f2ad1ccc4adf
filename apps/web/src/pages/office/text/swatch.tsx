import type { ReactNode } from "react";
import { appearanceOf } from "../../../office/people/appearance.ts";

interface SwatchProps {
  readonly agentId: string;
  /** The one it was given, if any was. */
  readonly look?: number | undefined;
}

/** The colors by which someone is known in the office. */
export function Swatch({ agentId, look }: SwatchProps): ReactNode {
  const { top, skin } = appearanceOf(agentId, look);
  return (
    <svg className="swatch" viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="9" fill={top} />
      <circle cx="10" cy="10" r="5" fill={skin} />
    </svg>
  );
}
