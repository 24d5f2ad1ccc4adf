/** Says so when the gateway cannot be heard. */
import type { ConnectionState } from "@atrium/client";
import type { ReactNode } from "react";
import { useTexts } from "../../app/app.ts";

export function ConnectionNote({ state }: { readonly state: ConnectionState }): ReactNode {
  const words = useTexts().chat;
  switch (state.state) {
    case "ready":
    case "stopped":
      return null;
    case "idle":
    case "opening":
    case "greeting":
    case "authenticating":
      return (
        <p className="chat-note" role="status">
          {words.connecting}
        </p>
      );
    case "waiting":
      return (
        <p className="chat-note" role="status">
          {words.lost}
        </p>
      );
    case "failed":
      return (
        <p className="chat-note" role="alert">
          {words.failedTitle}
        </p>
      );
  }
}
