/** Says so when what is seen is no longer live: nothing can be asked for meanwhile, and everything stays visible. */
import type { ReactNode } from "react";
import { useApp, useTexts, useWorld } from "../app/app.ts";
import { Button } from "../ui/controls.tsx";

export function ConnectionBanner(): ReactNode {
  const words = useTexts();
  const { world } = useApp();
  const status = useWorld((view) => view.status);
  switch (status.state) {
    case "connected":
    case "idle":
    case "connecting":
    case "stopped":
      return null;
    case "stale":
      return (
        <div className="connection-banner" role="status">
          <strong>{words.staleTitle}</strong>
          <span>
            {status.delayMs === null
              ? words.staleTrying(status.retries)
              : words.staleWaiting(status.retries, Math.ceil(status.delayMs / 1000))}
          </span>
          <Button look="quiet" onClick={() => world.connect()}>
            {words.tryNow}
          </Button>
        </div>
      );
    case "failed":
      return (
        <div className="connection-banner is-failed" role="alert">
          <strong>{words.failedTitle}</strong>
          <span>{status.reason}</span>
          <Button look="quiet" onClick={() => world.connect()}>
            {words.tryNow}
          </Button>
        </div>
      );
  }
}
