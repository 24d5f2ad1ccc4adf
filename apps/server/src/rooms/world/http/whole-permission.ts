/** All of what a permission is asked for, however long: read here by who is to decide about it. */
import { refuse, type ApprovalRow } from "@atrium/core";
import type { Endpoint } from "../../../http/api.ts";
import { refusal } from "../../../http/problem.ts";
import { wholePermission } from "../../../human-input/permission-on-wire.ts";
import { findOutsideDecision } from "../snapshots/outside-decisions.ts";
import type { WorldApiDeps } from "./world-api.ts";

export function createWholePermission({ scenery }: Pick<WorldApiDeps, "scenery">): Endpoint {
  const { projects, approvals, crew } = scenery;

  function permissionOf(decisionId: string): ApprovalRow | undefined {
    const inProject = projects.ofDecision(decisionId);
    if (inProject !== undefined) return approvals.get(inProject.decision.ref);
    const elsewhere = findOutsideDecision(scenery, decisionId);
    return elsewhere?.what === "asked" ? approvals.get(elsewhere.ref) : undefined;
  }

  return ({ path: { id = "" } }) => {
    const row = permissionOf(id);
    if (row === undefined) return refusal(refuse("decision.missing", id));
    const agentId = crew.find(({ handle }) => handle === row.subject.agent)?.id;
    return Response.json(wholePermission(row.subject, agentId));
  };
}
