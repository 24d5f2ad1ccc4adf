/** What a task says, as it stands in fields, and what of it was changed. Pure. */
import type { WorldCommandData, WorldTask } from "@atrium/wire/world";

export interface TaskText {
  readonly title: string;
  readonly description: string;
  readonly role: string;
  readonly kind: "change" | "document";
  readonly accept: readonly string[];
  readonly verify: readonly string[];
  readonly after: readonly string[];
}

export function textOf(task: WorldTask | undefined): TaskText {
  return {
    title: task?.title ?? "",
    description: task?.description ?? "",
    role: task?.role ?? "",
    kind: task?.kind ?? "change",
    accept: task?.accept ?? [],
    verify: task?.verify ?? [],
    after: task?.after ?? [],
  };
}

type Changes = Omit<WorldCommandData<"edit_task">, "task_id">;

/** What someone else has changed meanwhile stays, unless the same was changed here. */
export function changesIn(before: TaskText, text: TaskText): Changes {
  const isOther = (name: keyof TaskText): boolean =>
    JSON.stringify(before[name]) !== JSON.stringify(text[name]);
  return {
    ...(isOther("title") && { title: text.title.trim() }),
    ...(isOther("description") && { description: text.description }),
    ...(isOther("role") && { role: text.role.trim() }),
    ...(isOther("kind") && { kind: text.kind }),
    ...(isOther("accept") && { accept: [...text.accept] }),
    ...(isOther("verify") && { verify: [...text.verify] }),
    ...(isOther("after") && { after: [...text.after] }),
  };
}
