/**
 * Hands a project's line to people, because one of them asked for it: as a branch of their repository, or as a file.
 *
 *   asked -> looked (merged? known?) -> delivered (git) -> recorded (log)
 *
 * Cut off before the log knows of it, asking again finds the same branch with the same commit.
 */
import {
  accept,
  brokenGuard,
  findUndecidable,
  isOwnRepository,
  ownRepositoryId,
  project,
  refuse,
  type Answerer,
  type Clock,
  type Dispatch,
  type Guards,
  type Outcome,
  type Project,
  type Projects,
} from "@atrium/core";
import type { Key, Log } from "@atrium/log";
import { KeyedQueue } from "../../platform/keyed-queue.ts";
import type { RepositoryCatalog } from "../../repositories/repository-catalog.ts";
import type { DeliveryRequest, Deliveries } from "../../workspaces/port/delivery.ts";
import type { Landing } from "../../workspaces/port/landing.ts";
import { slugOf } from "../changes/keep-change.ts";

export type LineDeliveryWay = DeliveryRequest["how"] | keyof typeof FILES;

export interface DeliveryWish {
  readonly projectId: string;
  /** As the repository's setting says, unless it is named. */
  readonly how?: LineDeliveryWay | undefined;
  readonly by: Answerer;
  readonly guards?: Guards;
}

export interface RecordedDelivery {
  readonly how: string;
  /** The branch, or where the file or the pull request is. */
  readonly ref: string;
  readonly commit: string;
  readonly seq: number;
}

export type DeliverProject = (wish: DeliveryWish, once?: Key) => Promise<Outcome<RecordedDelivery>>;

export interface DeliverProjectDeps {
  readonly dispatch: Dispatch;
  readonly log: Pick<Log, "findKey">;
  readonly projects: Pick<Projects, "get">;
  readonly repositories: Pick<RepositoryCatalog, "find">;
  readonly use: () => Promise<Deliveries & Pick<Landing, "findLine">>;
  readonly clock: Clock;
}

/** Files are made when they are fetched. */
const FILES = { patch: "project.patch", bundle: "project.bundle", zip: "archive.zip" } as const;

export function createDeliverProject(deps: DeliverProjectDeps): DeliverProject {
  const { dispatch, log, projects, repositories, use, clock } = deps;
  /** Two who deliver the same at once would each make a branch. */
  const turns = new KeyedQueue();

  function wayOf(of: Project): LineDeliveryWay {
    const repositoryId = repositoryOf(of);
    if (isOwnRepository(repositoryId)) return "folder";
    return repositories.find(repositoryId)?.deliver ?? "branch";
  }

  async function hand(of: Project, how: LineDeliveryWay): Promise<Outcome<Delivered>> {
    const { projectId, title, text } = of;
    const spaces = await use();
    const repositoryId = repositoryOf(of);
    if (isFile(how)) {
      const line = await spaces.findLine(repositoryId, projectId);
      if (!line.ok) return line;
      if (line.value === undefined) return refuse("project.unmerged", projectId);
      const ref = `/api/projects/${projectId}/${FILES[how]}`;
      return accept({ how, ref, commit: line.value.commit });
    }
    const name = `atrium/${slugOf(title, projectId)}`;
    const body = `${text}\n\n${summaryOf(of)}`;
    const done = await spaces.deliver(repositoryId, projectId, { how, name, title, body });
    if (!done.ok) return done;
    const { ref, commit, to } = done.value;
    return accept({ how, ref: how === "pull-request" ? to : ref, commit });
  }

  async function record(
    { projectId, by }: DeliveryWish,
    delivered: Delivered,
    once?: Key,
  ): Promise<Outcome<RecordedDelivery>> {
    const command = { type: "record-delivery", at: clock.now(), ...delivered, by } as const;
    const done = await dispatch(project, projectId, command, once);
    if (!done.ok) return done;
    const { events, position } = done.value;
    const event = events.find(({ type }) => type === "project.delivered");
    const { how, ref, commit } = event?.type === "project.delivered" ? event : delivered;
    return accept({ how, ref, commit, seq: position.seq });
  }

  async function deliver(wish: DeliveryWish, once?: Key): Promise<Outcome<RecordedDelivery>> {
    const { projectId, by, guards } = wish;
    const undecided = findUndecidable({ by });
    if (undecided !== undefined) return refuse(undecided);
    const of = projects.get(projectId);
    if (of === undefined) return refuse("project.missing", projectId);
    const how = wish.how ?? wayOf(of);
    // Its answer was lost: what was delivered then is what is answered.
    if (once !== undefined && (await log.findKey(once.id)) !== undefined) {
      return record(wish, { how, ref: "", commit: "" }, once);
    }
    const broken = brokenGuard(of, guards);
    if (broken !== undefined) return broken;
    if (of.line === null) return refuse("project.unmerged", projectId);
    const handed = await hand(of, how);
    return handed.ok ? record(wish, handed.value, once) : handed;
  }

  return (wish, once) => turns.run(wish.projectId, () => deliver(wish, once));
}

function repositoryOf({ projectId, repository }: Project): string {
  return repository ?? ownRepositoryId(projectId);
}

type Delivered = Omit<RecordedDelivery, "seq">;

function isFile(how: LineDeliveryWay): how is keyof typeof FILES {
  return Object.hasOwn(FILES, how);
}

/** What is in it, for whoever reads the pull request. */
function summaryOf({ tasks, projectId }: Project): string {
  const done = tasks.filter(({ status }) => status === "done").map(({ title }) => `- ${title}`);
  return [...done, "", `Atrium-Project: ${projectId}`].join("\n");
}
