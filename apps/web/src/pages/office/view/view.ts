/** What is open beside the office, as it stands in the address: a panel, or one thing looked at closely. Pure. */
export const DOCKED = ["ask", "desk", "board", "code", "timeline", "trophies", "outline"] as const;
const PANELS = [...DOCKED, "connect"] as const;
export type PanelName = (typeof PANELS)[number];
const DETAILS = [
  "task",
  "artifact",
  "agent",
  "decision",
  "zone",
  "project",
  "code",
  "plan",
] as const;
type DetailName = (typeof DETAILS)[number];

export type View =
  | { readonly kind: "panel"; readonly name: PanelName }
  | { readonly kind: DetailName; readonly id: string };

export function readView(show: string | undefined): View | undefined {
  const panel = PANELS.find((name) => name === show);
  if (panel !== undefined) return { kind: "panel", name: panel };
  const [first, id = ""] = (show ?? "").split(":", 2);
  const kind = DETAILS.find((name) => name === first);
  return kind === undefined || id === "" ? undefined : { kind, id };
}

export function showOf(view: View): string {
  return view.kind === "panel" ? view.name : `${view.kind}:${view.id}`;
}
