/** The conversations in which a project is planned and its tasks are worked on. */
const WORK = /:(?:project|task):([a-z0-9_]+)$/;

/** Whether something that happens in that conversation may belong to a project. */
export function isWorkKey(key: string): boolean {
  return WORK.test(key);
}

/** The project or the task that it is about. */
export function workIdOfKey(key: string): string | undefined {
  return WORK.exec(key)?.[1];
}
