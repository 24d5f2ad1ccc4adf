/** The latest lines that the front desk has said about projects, oldest first, each at its place in the log. */
import { owns } from "../engine/dispatch.ts";
import type { Projection } from "../engine/projection.ts";
import { project } from "../project/project.ts";

export interface FrontDeskLine {
  readonly seq: number;
  readonly text: string;
}

export interface FrontDeskLines extends Projection<readonly FrontDeskLine[]> {
  list(): readonly FrontDeskLine[];
}

const MAX_LINES = 200;

export function createFrontDeskLines(): FrontDeskLines {
  let lines: FrontDeskLine[] = [];
  return {
    name: "front-desk-lines",
    version: 1,
    list: () => lines,
    apply(entry) {
      if (entry.type !== "project.bd_said" || !owns(project, entry.stream)) return;
      const event = project.read(entry);
      if (event.type !== "project.bd_said") return;
      lines = [...lines.slice(1 - MAX_LINES), { seq: entry.seq, text: event.text }];
    },
    save: () => lines,
    load(saved) {
      lines = [...saved];
    },
  };
}
