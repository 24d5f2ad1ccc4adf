/**
 * Says so when what is seen is no longer live, or nothing can be changed: nothing can be asked for meanwhile, and
 * everything stays visible.
 */
import type { WorldStatus } from "@atrium/client";
import type { ReactNode } from "react";
import { useApp, useTexts, useWorld } from "../app/app.ts";
import type { Texts } from "../i18n/texts.ts";
import { Button } from "../ui/controls.tsx";

export function ConnectionBanner(): ReactNode {
  const words = useTexts();
  const { world } = useApp();
  const status = useWorld((view) => view.status);
  const readingOnly = useWorld((view) => view.snapshot?.reading_only);
  if (status.state === "connected" && readingOnly !== undefined) {
    return (
      <div className="connection-banner" role="status">
        <strong>{words.readingOnlyTitle}</strong>
        <span>{words.readingOnlyText(readingOnly)}</span>
      </div>
    );
  }
  if (status.state !== "stale" && status.state !== "failed") return null;
  const isFailed = status.state === "failed";
  return (
    <div
      className={isFailed ? "connection-banner is-failed" : "connection-banner"}
      role={isFailed ? "alert" : "status"}
    >
      <strong>{isFailed ? words.failedTitle : words.staleTitle}</strong>
      <span>{isFailed ? status.reason : staleText(status, words)}</span>
      <Button look="quiet" onClick={() => world.connect()}>
        {words.tryNow}
      </Button>
    </div>
  );
}

function staleText(
  { retries, delayMs }: Extract<WorldStatus, { state: "stale" }>,
  words: Texts,
): string {
  return delayMs === null
    ? words.staleTrying(retries)
    : words.staleWaiting(retries, Math.ceil(delayMs / 1000));
}
