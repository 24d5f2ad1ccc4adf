/**
 * A life of the workspaces that works without pause until it is killed: opens, changes, records, restores and
 * removes in four worktrees at once, and says on standard output what it was told, a line each.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemTimers } from "../../platform/timers.ts";
import { openWorkspaces } from "../open-workspaces.ts";
import { AT, value } from "./bench-top.ts";

const [root = "", repository = "", life = "0"] = process.argv.slice(2);
const WORKERS = 4;
const spaces = openWorkspaces({ root, path: process.env["PATH"] ?? "", timers: systemTimers });
const say = (line: Readonly<Record<string, unknown>>): void => {
  writeFileSync(1, `${JSON.stringify(line)}\n`);
};

value(await spaces.recover());
value(await spaces.openRepository({ id: "shop", path: repository }));
value(await spaces.openRepository({ id: `own-${life}`, path: null }));
say({ type: "ready" });
await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(`task-${worker}`)));

async function work(workspaceId: string): Promise<void> {
  for (let round = 0; ; round++) {
    const request = { repositoryId: "shop", workspaceId, at: AT };
    const { folder, tree: start } = value(await spaces.openWorktree(request));
    say({ type: "open", workspaceId });
    for (let step = 0; step < 2; step++) {
      const content = `${life} ${round} ${step}\n`;
      writeFileSync(join(folder, "mine.txt"), content);
      writeFileSync(join(folder, `new-${step}.txt`), content);
      const label = `life ${life}, round ${round}, step ${step}`;
      const { tree, commit } = value(await spaces.recordMoment(workspaceId, { label, at: AT }));
      say({ type: "moment", workspaceId, tree, commit, content });
    }
    value(await spaces.restoreMoment(workspaceId, start, { label: "back", at: AT }));
    if (round % 4 < 3) value(await spaces.removeWorktree(workspaceId));
  }
}
