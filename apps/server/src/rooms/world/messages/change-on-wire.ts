/** Changes, their checks and where they have gone, as the world says it. Pure. */
import type { Artifact, ChangeFacts, CheckResult, DeliveryRecord, Task } from "@atrium/core";
import type { WorldArtifact, WorldEvent, WorldProject, WorldTask } from "@atrium/wire/world";
import { omitEmpty } from "./omit-empty.ts";

type Planned = Pick<WorldTask, "after" | "accept" | "verify" | "kind">;

/** How a task fits into its plan; lists that are empty are left out. */
export function plannedOnWire({
  after = [],
  accept = [],
  verify = [],
  kind,
}: Partial<Pick<Task, "after" | "accept" | "verify" | "kind">>): Planned {
  return {
    ...(after.length > 0 && { after: [...after] }),
    ...(accept.length > 0 && { accept: [...accept] }),
    ...(verify.length > 0 && { verify: [...verify] }),
    ...(kind !== undefined && { kind }),
  };
}

export function changeOnWire(change: ChangeFacts): NonNullable<WorldArtifact["change"]> {
  const { commit, base, files, added, removed, omitted, isCut, flagged } = change;
  const left = omitted.map(({ path, why }) => ({ path, why }));
  const counts = { commit, base, files, added, removed, omitted: left, flagged: [...flagged] };
  const { isUnfinished: is_unfinished, summary } = change;
  return { ...counts, ...omitEmpty({ is_unfinished, summary }), ...(isCut && { is_cut: true }) };
}

type CheckOnWire = Extract<WorldEvent, { name: "checks_finished" }>["results"][number];

export function checkOnWire(result: CheckResult): CheckOnWire {
  const { checkId: check_id, name, isRequired: required, verdict, exitCode, ms } = result;
  return { check_id, name, required, verdict, ms, ...omitEmpty({ exit_code: exitCode }) };
}

type Review = Pick<
  WorldArtifact,
  "change" | "checks" | "landing" | "conflicts" | "comments" | "open_comments"
>;

/** What is known of an artifact beyond its content. */
export function reviewOnWire({ versions, checks, landing, comments }: Artifact): Review {
  const change = versions.at(-1)?.change;
  const conflicts = landing?.state === "conflicted" ? landing.conflict?.paths : undefined;
  const open = comments.filter(({ resolvedBy }) => resolvedBy === null);
  return {
    ...omitEmpty({ change: change && changeOnWire(change), landing: landing?.state }),
    ...(checks !== null && {
      checks: { ...checks, names: [...checks.names], results: checks.results.map(checkOnWire) },
    }),
    ...(conflicts !== undefined && { conflicts: conflicts.map(({ path }) => path) }),
    ...(comments.length > 0 && { comments: comments.length, open_comments: open.length }),
  };
}

export function deliveriesOnWire(
  deliveries: readonly DeliveryRecord[],
): Pick<WorldProject, "deliveries"> {
  if (deliveries.length === 0) return {};
  return {
    deliveries: deliveries.map(({ how, ref, commit, by, at }) => {
      return { how, ref, commit, by: by.name, at };
    }),
  };
}
