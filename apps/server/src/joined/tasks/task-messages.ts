/** Tells a joined session what becomes of its task, as messages that are left for it. */
import {
  joinedIdOf,
  joinedSession,
  workIdOfKey,
  type Answerer,
  type Dispatch,
  type Ids,
  type Projects,
} from "@atrium/core";
import type { Turn } from "../../agents/turn/agent-runtime.ts";
import { titleOf } from "../../platform/clean-text.ts";
import type { JoinedTurnListener } from "./joined-turns.ts";

export interface TaskMessagesDeps {
  readonly dispatch: Dispatch;
  readonly projects: Pick<Projects, "ofTask">;
  readonly ids: Ids;
  readonly onFault: (cause: unknown) => void;
}

const FRONT_DESK: Answerer = { id: "atrium-director", name: "The front desk", via: "office" };

export function createTaskMessages(deps: TaskMessagesDeps): JoinedTurnListener {
  const { dispatch, projects, ids, onFault } = deps;

  function leave({ agent }: Turn, text: string, by: Answerer, key?: string): void {
    const id = joinedIdOf(agent.id);
    if (id === undefined) return;
    const command = { type: "leave-message", messageId: ids.next(), text, by } as const;
    const once = key === undefined ? undefined : { id: key, digest: id };
    dispatch(joinedSession, id, command, once).catch(onFault);
  }

  return {
    onOpened(turn) {
      const taskId = workIdOfKey(turn.conversation.key) ?? "";
      const found = projects.ofTask(taskId);
      if (found === undefined) return;
      const made = found.project.artifacts.filter((each) => each.taskId === taskId);
      const rounds = made.reduce((sum, { versions }) => sum + versions.length, 0);
      const title = titleOf(found.task.title);
      const text =
        rounds === 0
          ? `this session has the task “${title}” (${taskId}). Call the tool my_task to read it.`
          : `the task “${title}” (${taskId}) came back. Call the tool my_task to read what is to be changed.`;
      // Once for each time that it begins: a turn that a restart has cut off is the same one.
      const { attempts } = found.task;
      leave(turn, text, FRONT_DESK, `joined-task:${taskId}:${turn.agent.id}:${attempts}`);
    },
    onWithdrawn(turn, reason) {
      const taskId = workIdOfKey(turn.conversation.key) ?? "";
      leave(turn, `${taskId} is no longer this session's task: ${reason}.`, FRONT_DESK);
    },
    onSaid(turn, { sender, text }) {
      leave(turn, text, { id: sender.id, name: sender.name, via: "chat" });
    },
  };
}
