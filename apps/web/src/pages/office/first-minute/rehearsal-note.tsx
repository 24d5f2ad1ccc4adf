import type { ReactNode } from "react";
import { useOffice, useTexts } from "../../../app/app.ts";
import { pathOf } from "../../../app/route.ts";
import { Link } from "../../../ui/link.tsx";

/** Plainly said for as long as there is no model behind some of the crew. */
export function RehearsalNote(): ReactNode {
  const words = useTexts();
  const agents = useOffice(({ snapshot }) => snapshot?.agents) ?? [];
  const crew = agents.filter(({ is_visitor }) => is_visitor !== true);
  const acting = crew.filter(({ is_rehearsal }) => is_rehearsal === true);
  if (acting.length === 0) return null;
  const note =
    acting.length === crew.length
      ? words.rehearsalNote
      : words.rehearsalOfSome(acting.map(({ name }) => name).join(", "));
  return (
    <p className="rehearsal-note">
      {note} <Link to={pathOf("office", "connect")}>{words.first.connectOne}</Link>
    </p>
  );
}
