/** Sessions that people started in a terminal come in when they join, take a free desk, and go when they leave. */
import { joinedAgentId, joinedSession } from "@atrium/core";
import type { Entry } from "@atrium/log";
import type { ProjectCommands } from "../work/project-commands.ts";

export async function onJoinedSession(
  commands: ProjectCommands,
  entry: Entry,
  id: string,
): Promise<void> {
  const { walking } = commands.deps;
  const agentId = joinedAgentId(id);
  switch (joinedSession.read(entry).type) {
    case "joined-session.joined": {
      await commands.attempt(() => walking.receive(agentId));
      const poiId = walking.homeOf(agentId);
      if (poiId !== undefined) await commands.walk(agentId, { kind: "go_to_poi", poiId }, entry);
      return;
    }
    case "joined-session.left":
      // It may be back by now.
      if (commands.deps.isAway(agentId)) await commands.releaseAll(agentId, entry);
      await commands.attempt(() => walking.leave(agentId));
      return;
    case "joined-session.described":
    case "joined-session.activity_changed":
    case "joined-session.message_left":
    case "joined-session.message_offered":
    case "joined-session.message_turned_away":
    case "joined-session.message_delivered":
  }
}
