/** What would be done, whole and in letters of one width, with nothing in it that hides. */
import type { ReactNode } from "react";
import { useTexts } from "../../app/app.ts";
import { RISKS } from "./risks.ts";
import { visibleParts } from "./visible-text.ts";

export function PermissionText({ text }: { readonly text: string }): ReactNode {
  const words = useTexts().permission;
  return visibleParts(text).map(({ text: part, risk, isSign }, at) => {
    const shown = isSign ? (
      <span className="unseen-sign" title={words.unseenSign}>
        {part}
      </span>
    ) : (
      part
    );
    return risk === undefined ? (
      <span key={at}>{shown}</span>
    ) : (
      <mark key={at} data-risk={risk} title={words.risks[risk]}>
        {shown}
      </mark>
    );
  });
}

/** Which kinds of marks there are in it, said in words as well. */
export function PermissionMarks({ text }: { readonly text: string }): ReactNode {
  const words = useTexts().permission;
  const parts = visibleParts(text);
  const risks = new Set(parts.map(({ risk }) => risk));
  const riskTexts = RISKS.filter((risk) => risks.has(risk)).map((risk) => words.risks[risk]);
  const all = parts.some(({ isSign }) => isSign) ? [...riskTexts, words.unseenSigns] : riskTexts;
  if (all.length === 0) return null;
  return (
    <p className="permission-marks" role="note">
      <span className="label">{words.lookAgain}</span> {all.join(" · ")}
    </p>
  );
}
