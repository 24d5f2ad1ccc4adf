/** A project in a repository: planned, checked, reviewed, merged and delivered; and a build with its preview. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Browser } from "playwright-core";
import { makeRepository } from "../../apps/server/src/workspaces/testing/user-repository.ts";
import { lookAt } from "../../test/kit/attend.ts";
import { BuildApi } from "../../test/kit/builds.ts";
import { startServer, withHome, type ServerProcess } from "../../test/kit/server-process.ts";
import { openWebPage } from "../../test/kit/web-page.ts";
import { enterWorld, openWorldPeer } from "../../test/kit/world-peer.ts";
import { createShoot, enter, isWanted, OFFICE, WIDE } from "./camera.ts";
import { takeInWindows } from "./picture-in-windows.ts";
import { openTideCrew, type TideCrew } from "./tide-crew.ts";
import { TIDE_FILES } from "./tide-files.ts";

export const WORKSHOP_PICTURES = ["plan", "board", "review", "checks", "code", "merge", "preview"];

const REQUEST = "Show the tides: a page for tonight and a command, with a short guide";
const IN_OFFICE = { ...WIDE, preferences: OFFICE };
/** There the office is not seen. */
const IN_REVIEW = { ...WIDE, preferences: { ...OFFICE, picture: "plan" } };

export async function playWorkshop(browser: Browser): Promise<void> {
  await withHome(async (folder) => {
    await using crew = await openTideCrew();
    const repository = makeRepository(join(folder, "tides"), TIDE_FILES);
    const home = join(folder, "home");
    await mkdir(home);
    const file = join(home, "atrium.config.json");
    await writeFile(file, JSON.stringify(settingsOf(repository, crew.baseUrl)));
    await using server = await startServer(home, { args: ["--config", file] });
    await playProject(browser, server, crew);
    if (isWanted("preview")) await playBuild(browser, server);
  });
}

const agent = (id: string, name: string, role: string): object => {
  return { id: `agent_${id}`, name, role, runtime: "local" };
};

function settingsOf(repository: string, baseUrl: string): object {
  const checks = [
    { name: "tests", command: ["node", "--test", "--test-reporter=spec"], required: true },
    { name: "no console", command: ["sh", "-c", "! grep -rn console src"], required: false },
  ];
  return {
    office: { walkingSpeedMps: 6, meetingMs: 0 },
    repositories: { tides: { path: repository, checks } },
    runtimes: {
      local: { type: "model", provider: "openai-compatible", model: "tide-model", baseUrl },
    },
    agents: [
      agent("bd", "BD", "front desk"),
      agent("research_1", "Research 1", "researcher"),
      agent("eng_1", "Eng 1", "engineer"),
      agent("eng_2", "Eng 2", "engineer"),
      agent("design_1", "Design 1", "designer"),
      agent("writer_1", "Writer 1", "writer"),
    ],
  };
}

async function playProject(browser: Browser, server: ServerProcess, crew: TideCrew): Promise<void> {
  const shoot = createShoot(browser, server);
  await using peer = await enterWorld(server);
  await peer.ask("submit_request", { text: REQUEST, repository: "tides" });
  await peer.event("kickoff_finished");
  const { projects, tasks } = await lookAt(server);
  const [projectId = ""] = projects.map(({ project_id }) => project_id);
  const [tides = "", page, command, sources, guide] = tasks.map(({ task_id }) => task_id);
  await shoot("plan", `/?show=plan:${projectId}`, IN_OFFICE);

  await peer.ask("auto_assign", { project_id: projectId });
  const first = await delivered(server, tides, 1);
  await comment(server, first, "src/tides.js", 15, "What if there is no such station?");
  const second = await delivered(server, page, 2);
  await delivered(server, tides, 2);
  await shoot("board", "/?show=board", IN_OFFICE);
  await shoot("review", `/?show=artifact:${first}`, {
    ...IN_REVIEW,
    async prepare(review) {
      await review.locator('[data-path="src/tides.js"][data-side=new][data-line="22"]').click();
      await review.getByLabel("Comment on line 22").fill("Give the minutes of a day a name.");
      await review.getByRole("button", { name: "Keep comment" }).click();
    },
  });
  await shoot("checks", `/?show=artifact:${second}`, {
    ...IN_REVIEW,
    async prepare(review) {
      await review.locator(".check summary", { hasText: "tests" }).click();
      await review.locator(".terminal-text").getByText("later").first().waitFor();
    },
  });
  if (isWanted("code")) await shootCode(browser, server, tides);

  crew.release();
  await comment(server, second, "src/stations.js", 6, "It is 185 minutes after Borkum.");
  await approve(server, tides, 2);
  await delivered(server, page, 3);
  await approve(server, page, 3);
  await approve(server, command, 1);
  await approve(server, sources, 1);
  await approve(server, guide, 1);
  await peer.event("project_completed");
  await peer.ask("deliver_project", { project_id: projectId });
  await peer.event("project_delivered");
  await shoot("merge", `/?show=project:${projectId}`, IN_OFFICE);
}

/** Resolves with the artifact when that version of what a task made is there to review. */
async function delivered(
  server: ServerProcess,
  taskId: string | undefined,
  version: number,
): Promise<string> {
  for (;;) {
    const { artifacts } = await lookAt(server);
    const artifact = artifacts.find(({ task_id }) => task_id === taskId);
    const isThere = artifact?.status === "delivered" && artifact.version === version;
    if (isThere) return artifact.artifact_id;
    await setTimeout(500);
  }
}

async function approve(
  server: ServerProcess,
  taskId: string | undefined,
  version: number,
): Promise<void> {
  const artifact_id = await delivered(server, taskId, version);
  await using peer = await enterWorld(server);
  await peer.ask("approve_artifact", { artifact_id, expected_version: version });
}

async function comment(
  server: ServerProcess,
  artifact_id: string,
  path: string,
  line: number,
  text: string,
): Promise<void> {
  await using peer = await openWorldPeer(server.wsUrl, server.token);
  await peer.hello({ client: { name: "Ada", build: "dev", platform: "web" } });
  await peer.subscribe();
  const comments = [{ path, line, side: "new", text }];
  await peer.ask("request_changes", { artifact_id, instructions: "", comments });
}

/** At the moment of the failing test: looked for in a quick page, taken in another. */
async function shootCode(browser: Browser, server: ServerProcess, taskId: string): Promise<void> {
  const show = `/?show=code:${taskId}`;
  const mistake = "minutes + delay";
  let moment = 0;
  {
    await using opened = await openWebPage(browser, WIDE);
    const { page } = opened;
    await enter(page, server, show);
    await page.locator(".code-patch").waitFor();
    const slider = page.getByRole("slider", { name: "Point in time" });
    moment = Number(await slider.inputValue());
    while ((await page.locator(".code-patch", { hasText: mistake }).count()) === 0) {
      moment -= 1;
      await slider.fill(String(moment));
      await page.waitForTimeout(400);
    }
  }
  await createShoot(browser, server)("code", show, {
    ...IN_OFFICE,
    async prepare(page) {
      const slider = page.getByRole("slider", { name: "Point in time" });
      await slider.fill(String(moment));
      await page.locator(".code-patch", { hasText: mistake }).waitFor();
      await slider.blur();
    },
  });
}

async function playBuild(browser: Browser, server: ServerProcess): Promise<void> {
  const builds = new BuildApi(server);
  const id = await builds.start("A page that shows tonight's tides", { agent: "agent_design_1" });
  for await (const { type } of builds.events(id, { after: 0 })) {
    if (type === "session.completed") break;
  }
  await using opened = await openWebPage(browser, { ...WIDE, preferences: { theme: "day" } });
  const { page } = opened;
  await enter(page, server, `/builds/${id}`);
  const popup = page.waitForEvent("popup");
  await page.getByRole("link", { name: /preview/i }).click();
  const preview = await popup;
  await preview.locator("table").waitFor();
  await takeInWindows(browser, "preview", page, preview);
}
