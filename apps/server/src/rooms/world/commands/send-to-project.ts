/** A command to a project that exists: one for a project that does not must not leave a trace. */
import {
  project,
  refuse,
  type Clock,
  type Dispatch,
  type Outcome,
  type ProjectCommand,
  type Projects,
} from "@atrium/core";
import type { MaybePromise } from "../../../pipeline/method-router.ts";
import { guardsOf, type CommandContext, type WireGuards } from "./command-context.ts";

export interface SendDeps {
  readonly dispatch: Dispatch;
  readonly projects: Pick<Projects, "get">;
  readonly clock: Clock;
}

type Unguarded<Command> = Command extends unknown ? Omit<Command, "guards" | "at"> : never;

export type SendToProject = (
  projectId: Outcome<string>,
  command: Unguarded<ProjectCommand>,
  data: WireGuards,
  context: CommandContext,
) => MaybePromise<Outcome<unknown>>;

export function createSend({ dispatch, projects, clock }: SendDeps): SendToProject {
  return (projectId, command, data, { key }) => {
    if (!projectId.ok) return projectId;
    const { value: id } = projectId;
    if (projects.get(id) === undefined) return refuse("project.missing", id);
    const guarded = { ...command, guards: guardsOf(data), at: clock.now() };
    return dispatch(project, id, guarded, key);
  };
}
