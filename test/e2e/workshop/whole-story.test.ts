import { test } from "node:test";
import { skipWithoutSandbox } from "../../../apps/server/src/confinement/testing/sandbox.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openModelServer } from "../../kit/model-server/model-server.ts";
import { ACP, playStory, PROGRAM, TASKS } from "../../kit/whole-story.ts";
import { modelOn, openShop, works } from "../../kit/workshop.ts";

const skip = skipWithout("git") || skipWithoutSandbox();

test(
  "[SHOP-21] a model, an ACP agent and a program do what comes after one another and beside one another; the branch holds what was approved and nothing else",
  { skip },
  async () => {
    await using model = await openModelServer(
      works(["run", { command: "echo model >> model.txt; ls src > last.txt" }]),
    );
    await using shop = await openShop({
      runtimes: { local: modelOn(model.baseUrl), acp: ACP, program: PROGRAM },
      agents: [
        { id: "agent_eng_1", runtime: "local" },
        { id: "agent_eng_2", runtime: "acp" },
        { id: "agent_eng_3", runtime: "program" },
        { id: "agent_eng_4", runtime: "local" },
      ],
      tasks: TASKS,
    });
    await playStory(shop, {
      "model.txt": "model\nmodel",
      "src/acp.txt": "acp",
      "seen-by-program.txt": "README.md\nlast.txt\nmodel.txt\nseen-by-program.txt\nsrc",
      "last.txt": "acp.txt\nprice.ts",
    });
  },
);
