/** The conversations in which a project is planned and its tasks are worked on. */
import { Fault, resolveKey, type ConversationKey, type CrewMember } from "@atrium/core";

/** The task that may be worked on in that conversation. */
export function taskIdOfKey(key: string): string | undefined {
  return /^agent:[^:]+:task:([a-z0-9_]+)$/.exec(key)?.[1];
}

export interface WorkKeys {
  plan(projectId: string): ConversationKey;
  task(taskId: string, agentId: string): ConversationKey;
}

export function createWorkKeys(
  crew: readonly CrewMember[],
  guestOf: (agentId: string) => CrewMember | undefined = () => undefined,
): WorkKeys {
  const keyOf = (
    name: string,
    handle: string | undefined,
    among: readonly CrewMember[] = crew,
  ): ConversationKey => {
    const key = resolveKey(among, name, handle);
    if (!key.ok) {
      throw new Fault("a conversation without an agent", { name, why: key.detail ?? "" });
    }
    return key.value;
  };
  return {
    plan: (projectId) => keyOf(`project:${projectId}`, undefined),
    task(taskId, agentId) {
      const guest = guestOf(agentId);
      if (guest !== undefined) return keyOf(`task:${taskId}`, guest.handle, [guest]);
      return keyOf(`task:${taskId}`, crew.find(({ id }) => id === agentId)?.handle ?? agentId);
    },
  };
}
