/** What the lines of a transcript tell of its session, one after the other; shared by the formats of all programs. */
import type { SessionActivity } from "@atrium/core";
import type { Fields } from "../../../agents/turn/json-fields.ts";
import type { ReportedTool } from "../../hook-report.ts";

export interface SessionNews {
  /** Undefined until a line has named it. */
  readonly sessionId: string | undefined;
  readonly folder: string | null;
  readonly branch: string | null;
  readonly model: string | null;
  readonly activity: SessionActivity;
  readonly tool: ReportedTool | null;
  /** It is no session of a person: work of a sub-agent, or of Atrium. */
  readonly isOther: boolean;
  readonly isOver: boolean;
}

export const NO_NEWS: SessionNews = {
  sessionId: undefined,
  folder: null,
  branch: null,
  model: null,
  activity: "idle",
  tool: null,
  isOther: false,
  isOver: false,
};

export type FoldNews = (news: SessionNews, line: Fields) => SessionNews;

export const works = (news: SessionNews, tool: ReportedTool | null = null): SessionNews => ({
  ...news,
  activity: "working",
  tool,
});

export const rests = (news: SessionNews): SessionNews => ({
  ...news,
  activity: "idle",
  tool: null,
});
