/** Says so when the gateway cannot be heard. */
import type { ConnectionState } from "@atrium/client";
import type { ReactNode } from "react";
import { useTexts } from "../../app/app.ts";

export function ConnectionNote({ state }: { readonly state: ConnectionState }): ReactNode {
  const words = useTexts().chat;
  if (state.state === "ready" || state.state === "stopped") return null;
  const isRefused = state.state === "failed";
  const isLost = state.state === "waiting";
  return (
    <p className="chat-note" role={isRefused ? "alert" : "status"}>
      {isRefused ? words.failedTitle : isLost ? words.lost : words.connecting}
    </p>
  );
}
