/** A build's turn as its agent gets it: headers before the message, its own events as what it said before. */
import type { StartedBuild, BuildEvent, BuildTurn, BuildFeedEvent } from "@atrium/core";
import { wrapBuildMessage, type BuildMessageType } from "@atrium/wire/build";
import type { Turn, TurnMessage } from "../agents/turn/agent-runtime.ts";
import { encodeFeedEvent } from "./encode-feed-event.ts";

/** Everything that happened in a build, oldest first; all of it, or until a position of the log. */
export type ReadBuildHistory = (id: string, until?: number) => AsyncIterable<BuildEvent>;

const TYPES: Readonly<Record<BuildTurn["message"], BuildMessageType>> = {
  request: "BUILD_REQUEST",
  answer: "USER_ANSWER",
  answers: "USER_ANSWERS",
};

export async function wrapTurn(
  turn: Turn,
  build: StartedBuild,
  deps: { readonly history: ReadBuildHistory; readonly skill: string },
): Promise<Turn> {
  const { id, prompt, sessionId } = build;
  const { forkedFrom } = build;
  const own = await historyOf(build, deps.history(id));
  const earlier =
    forkedFrom === undefined
      ? []
      : await historyOf(build, deps.history(forkedFrom.workspaceId, forkedFrom.seq));
  return {
    ...turn,
    instructions: `${turn.instructions}\n\n${deps.skill}`,
    // Said once: the session at the other end keeps it.
    ...(own.length === 0 && { briefing: deps.skill }),
    history: [...earlier, ...own],
    prompt: messageOf(build, build.turn),
    env: {
      ...turn.env,
      TIDY_BUILD_ID: id,
      // No variable can hold a NUL.
      TIDY_BUILD_PROMPT: prompt.replaceAll("\u0000", ""),
      TIDY_SESSION_ID: sessionId,
    },
  };
}

function messageOf({ id, sessionId }: StartedBuild, turn: BuildTurn): string {
  const { message, questionIds, body } = turn;
  return wrapBuildMessage({ buildId: id, sessionId, type: TYPES[message], questionIds, body });
}

/** What the server said for it, and what it waited for, were no lines of its own. */
function isOwnWords({ source, what }: BuildFeedEvent): boolean {
  return source === "agent" && what !== "wait-began";
}

async function historyOf(
  build: StartedBuild,
  events: AsyncIterable<BuildEvent>,
): Promise<readonly TurnMessage[]> {
  const history: TurnMessage[] = [];
  let lines: string[] = [];
  const endTurn = (): void => {
    if (lines.length > 0) history.push({ role: "assistant", text: lines.join("\n") });
    lines = [];
  };
  for await (const event of events) {
    if (event.type === "build.turn.wanted") {
      if (event.turn.runId === build.turn.runId) break;
      endTurn();
      history.push({ role: "user", text: messageOf(build, event.turn) });
    }
    if (event.type === "build.told" && isOwnWords(event.telling)) {
      lines.push(JSON.stringify(encodeFeedEvent(event.telling)));
    }
  }
  endTurn();
  return history;
}
