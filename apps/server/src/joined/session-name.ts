/** What a joined session is called: its program, and the folder it works in. */
import { basename } from "node:path";
import type { SessionDetails } from "@atrium/core";
import { titleOf } from "../platform/clean-text.ts";
import { programNamed } from "./program.ts";

export function sessionName({
  program,
  folder,
}: Pick<SessionDetails, "program" | "folder">): string {
  const { title } = programNamed(program);
  return titleOf(folder === null ? title : `${title} · ${basename(folder)}`);
}
