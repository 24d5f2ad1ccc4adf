/** The engine in the system's own Chromium, drawn by software: slow, so the picture is small. */
import assert from "node:assert/strict";
import { mkdtempDisposable, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { chromium, type Page } from "playwright-core";
import { build } from "vite";
import { findProgram, skipWithout } from "../../../../scripts/system-programs.ts";
import type { SvgElement } from "../floor-plan/drawn.ts";
import type { EngineStats, OfficeEngine } from "./office-engine.ts";

const ROOT = join(import.meta.dirname, "../..");
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
};
const chromiumPath = findProgram("chromium");
const skip = skipWithout("chromium");

/** What office-lab.ts leaves on the page. */
interface Lab {
  readonly engine: OfficeEngine;
  show(count: number): void;
  renderSvg(parent: Element, drawn: SvgElement): void;
}

declare global {
  interface Window {
    officeLab?: Lab;
  }
}

describe("the office in a browser", { skip }, () => {
  const ends = new AsyncDisposableStack();
  let page: Page;

  // One page for all: making the office is the slow part.
  before(async () => {
    const folder = ends.use(await mkdtempDisposable(join(tmpdir(), "atrium-office-")));
    const address = await serve(await buildLab(folder.path), ends);
    const args = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
    const browser = await chromium.launch({ executablePath: chromiumPath!, args });
    ends.defer(() => browser.close());
    page = await browser.newPage({ viewport: { width: 240, height: 150 } });
    page.setDefaultTimeout(200_000);
    page.on("pageerror", (error) => assert.fail(error));
    await page.goto(`${address}/office-lab.html?dpr=1&still&agents=8&tier=low`);
    await settled(page);
  });
  after(() => ends.disposeAsync());

  test("[WEB-16] nothing is drawn while nothing moves; news draws; labels are buttons with names", async () => {
    const { frames } = await settled(page);
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    assert.equal((await settled(page)).frames, frames);
    await page.evaluate(() => window.officeLab!.show(6));
    await page.waitForFunction((drawn) => window.officeLab!.engine.stats().frames > drawn, frames);
    const names = await page
      .getByRole("button")
      .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
    assert.equal(names.length, 6);
    assert.ok(names.includes("Eng 2: needs a decision"));
  });

  test("[WEB-17] what is under the pointer is told, and the camera goes where it is sent", async () => {
    const found = await page.evaluate(() => {
      const { engine } = window.officeLab!;
      const seen = new Set<string>();
      for (let x = 0; x < 240; x += 3) {
        for (let y = 0; y < 150; y += 3) {
          const picked = engine.pick(x, y);
          if (picked !== undefined) seen.add(picked.kind === "poi" ? picked.id : picked.kind);
        }
      }
      return [...seen];
    });
    for (const thing of [
      "agent",
      "artifact",
      "trophy",
      "poi_task_board",
      "poi_trophy_shelf",
      "poi_delivery_shelf",
      "poi_desk_1",
    ]) {
      assert.ok(found.includes(thing), `${thing} is not among ${found.join(", ")}`);
    }
    await page.evaluate(() => window.officeLab!.engine.flyTo("agent_eng_2"));
    await settled(page);
    const middle = await page.evaluate(() => window.officeLab!.engine.pick(120, 75));
    assert.deepEqual(middle, { kind: "agent", id: "agent_eng_2" });
    await page.evaluate(() => window.officeLab!.engine.frameRoom());
    await settled(page);
  });

  test("[WEB-13] the room, and whoever is flown to, are in the part that nothing lies over", async () => {
    await page.evaluate(() =>
      window.officeLab!.engine.setCovers([{ left: 130, top: 0, right: 240, bottom: 150 }]),
    );
    await settled(page);
    const columns = await page.evaluate(() => {
      const { engine } = window.officeLab!;
      return Array.from({ length: 80 }, (_, at) => at * 3).filter((x) =>
        Array.from({ length: 50 }, (_, row) => row * 3).some((y) => engine.pick(x, y)),
      );
    });
    assert.ok(Math.min(...columns) < 30 && Math.max(...columns) <= 130, columns.join());
    await page.evaluate(() => window.officeLab!.engine.flyTo("agent_eng_2"));
    await settled(page);
    assert.deepEqual(await page.evaluate(() => window.officeLab!.engine.pick(65, 75)), {
      kind: "agent",
      id: "agent_eng_2",
    });
    await page.evaluate(() => {
      window.officeLab!.engine.setCovers([]);
      window.officeLab!.engine.frameRoom();
    });
    await settled(page);
  });

  for (const tier of ["low", "medium", "high"] as const) {
    test(`[WEB-15] 8 agents and 200 are within the budget, ${tier} tier by night`, async () => {
      for (const count of [8, 200]) {
        await page.evaluate(
          ([name, people]) => {
            const lab = window.officeLab!;
            lab.engine.setTier(name);
            lab.engine.setNight(true);
            lab.show(people);
          },
          [tier, count] as const,
        );
        const { drawCalls, triangles } = await settled(page);
        assert.ok(drawCalls > 20 && drawCalls <= 200, `${drawCalls} draw calls`);
        assert.ok(triangles > 20_000 && triangles <= 400_000, `${triangles} triangles`);
      }
    });
  }

  test("[WEB-18] drawing the floor plan again keeps the focus and changes what differs", async () => {
    const [focused, moved, count] = await page.evaluate(() => {
      const home = document.body.appendChild(document.createElement("div"));
      const agent = (id: string, x: number): SvgElement => ({
        name: "g",
        attributes: { "data-agent": id, tabindex: "0", transform: `translate(${x} 0)` },
      });
      const plan = (...children: SvgElement[]): SvgElement => ({
        name: "svg",
        attributes: {},
        children,
      });
      window.officeLab!.renderSvg(home, plan(agent("agent_a", 0), agent("agent_b", 1)));
      home.querySelector<SVGElement>("[data-agent=agent_b]")!.focus();
      window.officeLab!.renderSvg(
        home,
        plan(agent("agent_a", 0), agent("agent_b", 2), agent("agent_c", 3)),
      );
      const active = document.activeElement;
      return [
        active?.getAttribute("data-agent"),
        active?.getAttribute("transform"),
        home.querySelectorAll("g").length,
      ];
    });
    assert.deepEqual([focused, moved, count], ["agent_b", "translate(2 0)", 3]);
  });
});

async function buildLab(folder: string): Promise<string> {
  const input = join(ROOT, "office-lab.html");
  await build({
    root: ROOT,
    logLevel: "error",
    build: { outDir: folder, minify: false, rolldownOptions: { input } },
  });
  return folder;
}

async function serve(folder: string, ends: AsyncDisposableStack): Promise<string> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    readFile(join(folder, path)).then(
      (bytes) =>
        response
          .setHeader("content-type", TYPES[extname(path)] ?? "application/octet-stream")
          .end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.defer(() => void server.close());
  const open = server.address();
  return `http://127.0.0.1:${typeof open === "object" ? open?.port : 0}`;
}

/** Once nothing moves any more. */
async function settled(page: Page): Promise<EngineStats> {
  const stats = await page.waitForFunction(() => {
    const now = window.officeLab?.engine.stats();
    return now !== undefined && now.frames > 0 && now.motion === "still" ? now : false;
  });
  return stats.jsonValue() as Promise<EngineStats>;
}
