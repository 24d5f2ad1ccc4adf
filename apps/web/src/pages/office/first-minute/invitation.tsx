/** For whoever comes for the first time: one field to ask in, and after the first project the way to an agent of their own. */
import type { ReactNode } from "react";
import { useApp, useOffice, useTexts } from "../../../app/app.ts";
import { pathOf } from "../../../app/route.ts";
import { Button } from "../../../ui/controls.tsx";
import { Link } from "../../../ui/link.tsx";
import { AskForm } from "../panels/ask-panel.tsx";
import { isRehearsing, useFirstStep } from "../view/first-step.ts";

export function Invitation(): ReactNode {
  switch (useFirstStep()) {
    case "ask":
      return <FirstRequest />;
    case "connect":
      return <AfterRehearsal />;
    case undefined:
      return null;
  }
}

function FirstRequest(): ReactNode {
  const { first: words } = useTexts();
  const dismiss = useDismiss();
  const isDemo = useOffice(({ snapshot }) => isRehearsing(snapshot?.agents ?? []));
  return (
    <section className="card invitation" aria-label={words.title}>
      {isDemo && <DemoChip />}
      <AskForm isBrief cancelLabel={words.later} onCancel={dismiss} />
    </section>
  );
}

function DemoChip(): ReactNode {
  const { first: words } = useTexts();
  return (
    <p className="demo-chip">
      {words.demo} <Link to={pathOf("office", "connect")}>{words.connectOne}</Link>
    </p>
  );
}

function AfterRehearsal(): ReactNode {
  const { first: words } = useTexts();
  const dismiss = useDismiss();
  return (
    <section className="card invitation" aria-labelledby="invitation-title">
      <h2 id="invitation-title">{words.wasRehearsal}</h2>
      <p>{words.wasRehearsalText}</p>
      <div className="row">
        <Link to={pathOf("office", "connect")} className="button is-primary">
          {words.connectYours}
        </Link>
        <Button look="quiet" onClick={dismiss}>
          {words.notNow}
        </Button>
      </div>
    </section>
  );
}

function useDismiss(): () => void {
  const { preferences } = useApp();
  return () => preferences.setState({ invitation: "dismissed" });
}
