/** What a run has made of its files is one change, to be reviewed as a whole. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openModelServer } from "../../kit/model-server/model-server.ts";
import {
  contentsOf,
  git,
  modelOn,
  openShop,
  readArtifact,
  storeOf,
  works,
} from "../../kit/workshop.ts";

const skip = skipWithout("git");
const ENG = { id: "agent_eng_1", runtime: "local" };

test(
  "[SHOP-9] what a run has changed and delivered is one commit of its agent, and the artifact is that change",
  { skip },
  async () => {
    await using model = await openModelServer(
      works(
        ["write", { path: "src/made.ts", content: "export const made = true;\n" }],
        ["read", { path: "README.md" }],
        ["edit", { path: "README.md", old: "# Shop", new: "# The shop" }],
        ["write", { path: "ignored/more.txt", content: "nobody sees it\n" }],
        ["write", { path: ".env", content: "TOKEN=hunter2-hunter2-hunter2\n" }],
        ["deliver_artifact", { name: "../out.md", content: "no" }],
        ["deliver_artifact", { name: "docs/plan/first.md", content: "# First\n" }],
      ),
    );
    await using shop = await openShop({
      runtimes: { local: modelOn(model.baseUrl) },
      agents: [ENG],
    });
    const before = contentsOf(shop.repository);
    const [taskId = ""] = await shop.request("Make it", "shop");
    const { artifact_id } = (await shop.peer.event("artifact_delivered")).payload;
    const patch = await readArtifact(shop.atrium, artifact_id);
    assert.match(patch, /^diff --git a\/src\/made\.ts b\/src\/made\.ts$/m);
    assert.match(patch, /^\+# First$/m);
    assert.match(JSON.stringify(model.requests.at(-1)?.body), /not a plain path such as/);
    const entries = await shop.entries();
    const made = entries.filter(({ type }) => type === "project.artifact_created");
    assert.equal(made.length, 1);
    const [{ kind, name, mediaType, change }] = made.map(({ data }) => data) as [MadeChange];
    assert.deepEqual(
      [kind, name, mediaType],
      ["change", "work-of-agent-eng-1.patch", "text/x-patch"],
    );
    const { commit, base, tree, ...facts } = change;
    assert.deepEqual(facts, {
      files: 3,
      added: 3,
      removed: 1,
      summary: "Made.",
      omitted: [{ path: ".env", why: "secret" }],
      isCut: false,
      flagged: [],
    });
    const store = storeOf(shop, "shop");
    assert.equal(git(store, "rev-parse", `${commit}^{tree}`), tree);
    assert.equal(git(store, "rev-parse", `${commit}^`), base);
    assert.equal(git(store, "show", `${tree}:docs/plan/first.md`), "# First");
    const said = git(store, "log", "-1", "--format=%an <%ae>%n%B", commit);
    assert.match(said, /^agent_eng_1 <eng_1@agents\.invalid>\nWork of agent_eng_1\n\nMade\.\n\n/);
    assert.match(
      said,
      new RegExp(`^Atrium-Project: proj_\\w+\nAtrium-Task: ${taskId}\nAtrium-Run: `, "m"),
    );
    assert.deepEqual(contentsOf(shop.repository), before);
    assert.deepEqual(shop.atrium.faults, []);
  },
);

interface MadeChange {
  readonly kind: string;
  readonly name: string;
  readonly mediaType: string;
  readonly change: Readonly<Record<"commit" | "base" | "tree", string>>;
}

test(
  "[SHOP-10] who changes and delivers nothing has answered, and the answer is the document",
  { skip },
  async () => {
    await using model = await openModelServer(works(["read", { path: "README.md" }]));
    await using shop = await openShop({
      runtimes: { local: modelOn(model.baseUrl) },
      agents: [ENG],
    });
    await shop.request("Read it", "shop");
    const { artifact_id } = (await shop.peer.event("artifact_delivered")).payload;
    assert.equal(await readArtifact(shop.atrium, artifact_id), "Made.");
    await shop.peer.ask("approve_artifact", { artifact_id });
    await shop.peer.event("project_completed");
    const entries = await shop.entries();
    assert.equal(
      entries.some(({ type }) => type === "workspace.sealed"),
      false,
    );
    assert.deepEqual(shop.atrium.faults, []);
  },
);
