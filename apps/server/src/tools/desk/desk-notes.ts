/** What whoever answers at the front desk is given with every turn: what it is there for, and how the projects stand. */
import type { Project, Projects } from "@atrium/core";
import type { DeskNotes } from "../../runs/assemble-turn.ts";
import { isFrontDeskTalk } from "./front-desk-talk.ts";
import { isUnderWay, projectLine } from "./project-facts.ts";

const MAX_CHARS = 3_000;
const MAX_ENDED = 4;

const INSTRUCTIONS = [
  "You are at the front desk: people come to you with questions about projects and with new requests.",
  "What you are told of projects with each message is how they stand in the log at this moment. Answer questions about them from that and from `projects_list` and `project_status`; where these do not say it, say that you do not know. Never guess how far something is. If no projects are listed, there are none.",
  "When someone wants something made that takes more than an answer, offer to make it a project. Call `submit_request` once they agree, with all they have told you about it; they are asked before it starts. To change the plan of a project that is there, call `change_plan`. Approving, delivering and cancelling are for people: say where they can do it.",
].join("\n\n");

/** Undefined: the conversation is not held at the front desk. */
export function deskNotes(key: string, projects: Pick<Projects, "list">): DeskNotes | undefined {
  if (!isFrontDeskTalk(key)) return undefined;
  return { instructions: INSTRUCTIONS, summary: summarizeProjects(projects) };
}

/** Those under way first, each with the newest first, as many as there is room for; undefined when there are none. */
export function summarizeProjects(projects: Pick<Projects, "list">): string | undefined {
  const newestFirst = [...projects.list()].toSorted((a, b) => b.createdAt - a.createdAt);
  const ended = newestFirst.filter((each) => !isUnderWay(each));
  const shown = [...newestFirst.filter(isUnderWay), ...ended.slice(0, MAX_ENDED)];
  if (shown.length === 0) return undefined;
  const lines = linesWithin(shown, MAX_CHARS);
  const left = newestFirst.length - lines.length;
  return [...lines, ...(left > 0 ? [`- and ${left} more; projects_list has all`] : [])].join("\n");
}

function linesWithin(projects: readonly Project[], maxChars: number): readonly string[] {
  const lines: string[] = [];
  let chars = 0;
  for (const each of projects) {
    const line = `- ${projectLine(each)}`;
    chars += line.length + 1;
    if (chars > maxChars) break;
    lines.push(line);
  }
  return lines;
}
