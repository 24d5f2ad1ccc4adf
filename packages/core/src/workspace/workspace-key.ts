/** Whose files are meant in a conversation: those of the task or build that is worked on in it. */
const WORK = /^agent:[^:]+:(?:task|build):([^:]+)$/;

export function workspaceIdOfKey(key: string): string | undefined {
  return WORK.exec(key)?.[1];
}
