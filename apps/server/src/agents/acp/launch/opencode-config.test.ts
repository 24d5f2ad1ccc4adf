/** What opencode is started with, as settings that it merges over those of its user. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsOf, parseFields } from "../../turn/json-fields.ts";
import { opencodeConfig } from "./opencode-config.ts";

const SKILL = { name: "tides", description: "Reads tables.", folder: "/skills/tides" };

function configOf(given?: object, servers: readonly string[] = []) {
  const text = given === undefined ? undefined : JSON.stringify(given);
  return fieldsOf(parseFields(opencodeConfig(text, { skills: [SKILL], servers, leftOut: [] })));
}

test("[ACP-20] opencode asks about commands, changes, the web and what MCP servers do", () => {
  const { permission, skills } = configOf(undefined, ["docs"]);
  const asked = { bash: "ask", edit: "ask", webfetch: "ask", websearch: "ask", "docs_*": "ask" };
  assert.deepEqual(permission, asked);
  assert.deepEqual(skills, { paths: ["/skills/tides"] });
});

test("[ACP-20] opencode's agents that only read are not given a way to change files", () => {
  const { plan, explore } = fieldsOf(configOf()["agent"]);
  assert.deepEqual(fieldsOf(plan)["permission"], {
    edit: { "*": "deny", "*opencode/plans/*.md": "ask" },
  });
  assert.deepEqual(fieldsOf(explore)["permission"], { edit: "deny" });
});

test("[ACP-20] settings of opencode that the runtime hands it count more, also where rules overlap", () => {
  const given = {
    model: "theirs/one",
    permission: { "*": "deny", bash: { "ls *": "allow" } },
    agent: { plan: { permission: "allow" }, explore: { model: "theirs/two" } },
  };
  const { model, permission, agent } = configOf(given);
  assert.equal(model, "theirs/one");
  assert.deepEqual(Object.entries(fieldsOf(permission)).slice(-2), [
    ["*", "deny"],
    ["bash", { "ls *": "allow" }],
  ]);
  assert.deepEqual(fieldsOf(agent), {
    plan: { permission: "allow" },
    explore: { model: "theirs/two", permission: { edit: "deny" } },
  });
  assert.equal(configOf({ permission: "allow" })["permission"], "allow");
});
