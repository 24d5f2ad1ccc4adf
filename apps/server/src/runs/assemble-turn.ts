/** A turn as its runtime is given it, put together from the messages it answers and where it works. */
import type { ConversationRow, CrewMember, ReadHistory, RunRequested } from "@atrium/core";
import type { AgentRuntime, Turn, TurnAttachment } from "../agents/turn/agent-runtime.ts";
import type { Blobs } from "../platform/blobs.ts";
import { inboundMessageOf } from "./inbound-message.ts";
import type { RunWorkspace } from "./run-workspace.ts";

export interface TurnParts {
  readonly runtime: AgentRuntime;
  readonly member: CrewMember;
  readonly request: RunRequested;
  /** Runs whose messages are answered with this one. */
  readonly collects: readonly string[];
  /** Where the run begins in the log. */
  readonly startSeq: number;
  readonly workspace?: RunWorkspace | undefined;
  readonly desk?: DeskNotes | undefined;
  /** Tools, one of which the client wants to be asked to call. */
  readonly mustCall?: readonly string[] | undefined;
}

/** What whoever answers at the front desk is given with every turn. */
export interface DeskNotes {
  readonly instructions: string;
  /** How the projects stand, in a few lines; undefined: there are none. */
  readonly summary: string | undefined;
}

export interface TurnSources {
  readonly history: ReadHistory;
  readonly readRequest: (runId: string) => Promise<RunRequested | undefined>;
  readonly requestedAt: (runId: string) => number;
  readonly blobs: Pick<Blobs, "get">;
}

const CHARS_PER_TOKEN = 3;

export async function assembleTurn(
  { runtime, member, request, collects, startSeq, workspace, desk, mustCall = [] }: TurnParts,
  { key, sessionId, settings, agentSession }: ConversationRow,
  { history, readRequest, requestedAt, blobs }: TurnSources,
): Promise<Turn> {
  const more = await Promise.all(collects.map((runId) => readRequest(runId)));
  const requests = [request, ...more.filter((each) => each !== undefined)];
  const maxChars = runtime.model.contextTokens * CHARS_PER_TOKEN;
  const model = request.model ?? settings.model;
  const thinking = request.thinking ?? settings.thinking;
  const files = await Promise.all(requests.map((each) => readAttachments(each, blobs)));
  const briefing = paragraphs([request.instructions, workspace?.briefing, demandFor(mustCall)]);
  const context = paragraphs([request.context, desk?.summary]);
  return {
    runId: request.runId,
    conversation: { key, sessionId },
    ...(agentSession?.runtime === runtime.name && { session: agentSession.session }),
    agent: { id: member.id, name: member.name, role: member.role },
    instructions: instructionsFor(member, [desk?.instructions, briefing]),
    ...(briefing !== "" && { briefing }),
    history: [
      ...(await history(key, startSeq, maxChars)),
      ...requests.flatMap(({ earlier = [] }) => earlier),
    ],
    prompt: requests.map(({ text }) => text).join("\n\n"),
    ...(context !== "" && { context }),
    attachments: files.flat(),
    inbound: requests.map((each, n) =>
      inboundMessageOf(each, requestedAt(each.runId), files[n] ?? []),
    ),
    wishes: { ...(model !== null && { model }), ...(thinking !== null && { thinking }) },
    ...(workspace !== undefined && { workspace: workspace.place }),
    env: workspace?.env ?? {},
    form: request.form ?? "any",
    ...(mustCall.length > 0 && { mustCall }),
  };
}

function demandFor(mustCall: readonly string[]): string | undefined {
  if (mustCall.length === 0) return undefined;
  const tool = mustCall.length === 1 ? "the tool" : "one of the tools";
  return `Before you answer, call ${tool} ${mustCall.join(", ")}. An answer without such a call is not accepted.`;
}

function paragraphs(texts: readonly (string | null | undefined)[]): string {
  return texts.filter((text) => typeof text === "string" && text !== "").join("\n\n");
}

function readAttachments(
  { attachments }: RunRequested,
  blobs: TurnSources["blobs"],
): Promise<readonly TurnAttachment[]> {
  return Promise.all(
    attachments.map(async ({ name, mediaType, digest }) => {
      const data = await blobs.get(digest);
      return { name, mediaType, data: data.toString("base64") };
    }),
  );
}

function instructionsFor(
  { name, role }: CrewMember,
  more: readonly (string | undefined)[],
): string {
  const who = `You are ${name}, the ${role} of a small team of agents that people reach through Atrium. Answer plainly and briefly.`;
  return paragraphs([who, ...more]);
}
