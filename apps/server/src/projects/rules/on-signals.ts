/** Agents from outside come in when they are first heard of, and go when the lounge is full of newer ones. */
import { agentsOf, signalSource, visitorIdOf } from "@atrium/core";
import type { Entry } from "@atrium/log";
import { LOUNGE } from "../work/places.ts";
import type { ProjectCommands } from "../work/project-commands.ts";

const MAX_VISITORS = 12;

export async function onSignals(commands: ProjectCommands, entry: Entry): Promise<void> {
  const { crew, walking } = commands.deps;
  const visitorIds = new Set<string>();
  for (const signal of signalSource.read(entry).signals) {
    // What people do is about something, and that need not be an agent.
    if (signal.type.startsWith("user.")) continue;
    const [agentId] = agentsOf(signal);
    if (agentId === undefined || crew.some(({ id }) => id === agentId)) continue;
    visitorIds.add(visitorIdOf(agentId));
  }
  for (const visitorId of [...visitorIds].slice(0, MAX_VISITORS)) {
    if (walking.isHere(visitorId)) continue;
    const visitors = walking.visitors();
    for (const gone of visitors.slice(0, Math.max(0, visitors.length + 1 - MAX_VISITORS))) {
      await commands.attempt(() => walking.leave(gone));
    }
    await commands.attempt(() => walking.welcome(visitorId));
    await commands.walk(visitorId, { kind: "go_to_poi", poiId: LOUNGE }, entry);
  }
}
