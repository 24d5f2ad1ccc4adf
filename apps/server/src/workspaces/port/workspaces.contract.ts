/** What every implementation of the port must do, with real repositories. */
import { describe } from "node:test";
import type { OpenTested } from "../testing/bench-top.ts";
import { describeChanges } from "../testing/changes.contract.ts";
import { describeDelivery } from "../testing/delivery.contract.ts";
import { describeFolderDelivery } from "../testing/folder-delivery.contract.ts";
import { describeForgetting } from "../testing/forgetting.contract.ts";
import { describeHistory } from "../testing/history.contract.ts";
import { describeLanding } from "../testing/landing.contract.ts";
import { describeLineUpdates } from "../testing/line-updates.contract.ts";
import { describeMoments } from "../testing/moments.contract.ts";
import { describeRepositories } from "../testing/repositories.contract.ts";
import { describeWorktrees } from "../testing/worktrees.contract.ts";

export function describeWorkspaces(name: string, open: OpenTested, skip: string | false): void {
  describe(`workspaces contract: ${name}`, { skip }, () => {
    describeRepositories(open);
    describeWorktrees(open);
    describeMoments(open);
    describeHistory(open);
    describeForgetting(open);
    describeChanges(open);
    describeLanding(open);
    describeLineUpdates(open);
    describeDelivery(open);
    describeFolderDelivery(open);
  });
}
