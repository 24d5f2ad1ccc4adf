/** Verdicts and deliveries, by whichever door: the gateway's sockets and plain HTTP call the same. */
import {
  accept,
  project,
  refuse,
  type Answerer,
  type Clock,
  type Dispatch,
  type Outcome,
  type ProjectCommand,
  type Projects,
} from "@atrium/core";
import {
  artifactsApprove,
  artifactsRequestChanges,
  artifactsRevert,
  projectsDeliver,
  projectsUpdate,
} from "@atrium/wire/gateway";
import type { CallKey } from "../../../pipeline/idempotency.ts";
import { implement, type Caller, type Method } from "../../../pipeline/method-router.ts";
import { cleanText } from "../../../platform/clean-text.ts";
import type { AnchorRemarks } from "../../../workshop/comments/anchor-remarks.ts";
import { remarkOf } from "../../../workshop/comments/remark-of.ts";
import type { DeliverProject } from "../../../workshop/landing/deliver-project.ts";

export interface ReviewMethodDeps {
  readonly dispatch: Dispatch;
  readonly projects: Pick<Projects, "get" | "ofArtifact">;
  readonly anchorRemarks: AnchorRemarks;
  readonly deliverProject: DeliverProject;
  readonly clock: Clock;
}

export type ReviewMethods<Who extends Caller> = Readonly<
  Record<"approve" | "requestChanges" | "revert" | "update" | "deliver", Method<Who>>
>;

type Untimed<Command> = Command extends unknown ? Omit<Command, "at"> : never;

export function reviewMethods<Who extends Caller>(
  deps: ReviewMethodDeps,
  answererOf: (caller: Who) => Answerer,
): ReviewMethods<Who> {
  const { dispatch, projects, anchorRemarks, deliverProject, clock } = deps;

  async function send(
    id: string | undefined,
    command: Untimed<ProjectCommand>,
    key: CallKey | undefined,
  ): Promise<Outcome<number>> {
    if (id === undefined || projects.get(id) === undefined) return refuse("project.missing", id);
    const done = await dispatch(project, id, { ...command, at: clock.now() }, key);
    return done.ok ? accept(done.value.position.seq) : done;
  }

  async function sendTo(
    artifactId: string,
    command: Untimed<ProjectCommand>,
    key: CallKey | undefined,
  ): Promise<Outcome<{ artifact: string; seq: number }>> {
    const found = projects.ofArtifact(artifactId);
    if (found === undefined) return refuse("artifact.missing", artifactId);
    const done = await send(found.project.projectId, command, key);
    return done.ok ? accept({ artifact: artifactId, seq: done.value }) : done;
  }

  return {
    approve: implement<typeof artifactsApprove, Who>(
      artifactsApprove,
      ({ artifact: artifactId, version }, { caller, key }) => {
        const guards = { expectedVersion: version };
        const command = { type: "approve", artifactId, by: answererOf(caller), guards } as const;
        return sendTo(artifactId, command, key);
      },
    ),
    requestChanges: implement<typeof artifactsRequestChanges, Who>(
      artifactsRequestChanges,
      async (params, { caller, key }) => {
        const { artifact: artifactId, version, instructions = "", comments: drafts = [] } = params;
        const comments = await anchorRemarks(artifactId, version, drafts.map(remarkOf));
        if (!comments.ok) return comments;
        const wish = { artifactId, instructions: cleanText(instructions), by: answererOf(caller) };
        const guards = { expectedVersion: version };
        const about = { ...wish, comments: comments.value, guards };
        return sendTo(artifactId, { type: "request-changes", ...about }, key);
      },
    ),
    revert: implement<typeof artifactsRevert, Who>(
      artifactsRevert,
      ({ artifact: artifactId }, { caller, key }) => {
        const command = { type: "request-revert", artifactId, by: answererOf(caller) } as const;
        return sendTo(artifactId, command, key);
      },
    ),
    update: implement<typeof projectsUpdate, Who>(
      projectsUpdate,
      async ({ project: projectId }, { caller, key }) => {
        const done = await send(projectId, { type: "request-update", by: answererOf(caller) }, key);
        return done.ok ? accept({ project: projectId, seq: done.value }) : done;
      },
    ),
    deliver: implement<typeof projectsDeliver, Who>(
      projectsDeliver,
      async ({ project: projectId, how }, { caller, key }) => {
        const done = await deliverProject({ projectId, how, by: answererOf(caller) }, key);
        return done.ok ? accept({ project: projectId, ...done.value }) : done;
      },
    ),
  };
}
