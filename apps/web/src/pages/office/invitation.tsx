import type { ReactNode } from "react";
import { useApp, useTexts } from "../../app/app.ts";
import { Button } from "../../ui/controls.tsx";
import { useOpen } from "./view/camera-control.ts";
import { useIsInviting } from "./view/inviting.ts";

/** Three steps for whoever comes for the first time; gone for good once work was asked for, or it was put away. */
export function Invitation(): ReactNode {
  const words = useTexts();
  const open = useOpen();
  const { preferences } = useApp();
  if (!useIsInviting()) return null;
  return (
    <section className="card invitation" aria-labelledby="invitation-title">
      <h2 id="invitation-title">{words.inviteTitle}</h2>
      <ol>
        {words.inviteSteps.map(([name, text]) => (
          <li key={name}>
            <strong>{name}</strong> {text}
          </li>
        ))}
      </ol>
      <div className="row">
        <Button look="primary" onClick={() => open({ kind: "panel", name: "ask" })}>
          {words.inviteStart}
        </Button>
        <Button look="quiet" onClick={() => preferences.setState({ invitation: "dismissed" })}>
          {words.inviteLater}
        </Button>
      </div>
    </section>
  );
}
