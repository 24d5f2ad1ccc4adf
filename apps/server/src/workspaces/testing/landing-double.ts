/**
 * A life that seals, lands and delivers one change after the other until it is killed, and says on standard
 * output what it was told. It begins with the number it is given, which an earlier life may have ended.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemTimers } from "../../platform/timers.ts";
import { openWorkspaces } from "../open-workspaces.ts";
import { AT, value } from "./bench-top.ts";

const [root = "", repository = "", first = "1"] = process.argv.slice(2);
const spaces = openWorkspaces({ root, path: process.env["PATH"] ?? "", timers: systemTimers });
const AUTHOR = { name: "Eng", email: "eng@agents.invalid" };

value(await spaces.recover());
value(await spaces.openRepository({ id: "shop", path: repository }));
value(await spaces.openLine("shop", "prj"));
for (let number = Number(first); ; number++) {
  const workspaceId = `task-${number}`;
  const at = AT + number * 1_000;
  const request = { repositoryId: "shop", workspaceId, lineId: "prj", at };
  const { folder } = value(await spaces.openWorktree(request));
  writeFileSync(join(folder, `file-${number}.txt`), `${number}\n`);
  const delivered = [{ path: `docs/${number}.md`, content: Buffer.from(`# ${number}\n`) }];
  const message = `Change ${number}`;
  const sealed = value(await spaces.seal(workspaceId, { message, author: AUTHOR, at, delivered }));
  const landing = { change: sealed.commit, landingId: workspaceId, message, at };
  const landed = value(await spaces.land("shop", "prj", landing));
  const texts = { name: "atrium/out", title: "Out", body: "" };
  const told = value(await spaces.deliver("shop", "prj", { ...texts, how: "branch" }));
  value(await spaces.removeWorktree(workspaceId));
  const { ref, commit } = told;
  writeFileSync(1, `${JSON.stringify({ number, sealed: sealed.commit, landed, ref, commit })}\n`);
}
