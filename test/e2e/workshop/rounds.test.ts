/** Another round of a task: what its agent is told, what it can look up, and how it answers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithout } from "../../../scripts/system-programs.ts";
import type { Behavior } from "../../kit/model-server/behavior.ts";
import { openModelServer, type ModelRequest } from "../../kit/model-server/model-server.ts";
import { modelOn, openShop } from "../../kit/workshop.ts";
import type { WorldMessage } from "../../kit/world-peer.ts";

const skip = skipWithout("git");
const AGENTS = [
  { id: "agent_eng_1", runtime: "local" },
  { id: "agent_eng_2", runtime: "local" },
];
const TASKS = [
  { title: "Name a price", accept: ["The price is a number."] },
  { title: "Write the bill", after: [1] },
];

type Call = readonly [name: string, input: object];

/** Each task by its words; results of earlier turns are no results of this one. */
function work({ body }: ModelRequest): Behavior {
  const from = body.messages.findLastIndex(({ role }: { role: string }) => role === "user");
  const [prompt, ...rest] = body.messages.slice(from) as { role: string; content: string }[];
  const text = JSON.stringify(prompt?.content ?? "");
  const done = rest.filter(({ role }) => role === "tool").length;
  const [name, input] = callsFor(text)[done] ?? [];
  if (name !== undefined) return { type: "answer", toolCalls: [{ name, input: input ?? {} }] };
  return { type: "answer", chunks: ["The price is named in price.txt."] };
}

function callsFor(prompt: string): readonly Call[] {
  const write = (path: string, content: string): Call => ["write", { path, content }];
  if (prompt.includes("Task 2 of 2")) {
    return [
      ["project_status", {}],
      ["list_artifacts", {}],
      ["read_artifact", { artifactId: /art_[a-z0-9]+_1/.exec(prompt)?.[0], path: "price.txt" }],
      write("bill.txt", "Three.\n"),
    ];
  }
  const commentId = /cmt_[a-z0-9]+_1/.exec(prompt)?.[0];
  if (commentId === undefined) return [write("price.txt", "two\nand a half\n")];
  return [
    ["read", { path: "price.txt" }],
    write("price.txt", "3\n"),
    ["answer_comment", { commentId, text: "It is a number now." }],
  ];
}

const promptsTo = (requests: readonly ModelRequest[], words: string): readonly string[] =>
  requests.flatMap(({ lastText }) => (lastText.includes(words) ? [lastText] : []));

test(
  "[DIR-16] [TOOL-21] a comment comes to the agent with its code, is answered, and what follows builds on it",
  { skip },
  async () => {
    await using model = await openModelServer(work);
    await using shop = await openShop({
      runtimes: { local: modelOn(model.baseUrl) },
      agents: AGENTS,
      tasks: TASKS,
    });
    const { peer } = shop;
    await shop.request("Name a price and write the bill", "shop");
    const { artifact_id } = (await peer.event("artifact_delivered")).payload;
    const remark = {
      path: "price.txt",
      line: 1,
      end_line: 2,
      side: "new",
      text: "A number, please.",
    };
    const second = peer.next(
      ({ payload }) => payload.name === "artifact_delivered" && payload.version === 2,
    );
    await peer.ask("request_changes", { artifact_id, instructions: "", comments: [remark] });
    const { payload: answered } = await peer.event("comment_answered");
    assert.equal(answered.text, "It is a number now.");
    await second;
    const [, again = ""] = promptsTo(model.requests, "Task 1 of 2");
    assert.match(
      again,
      /\ncmt_\w+_1, by .+, on price\.txt, lines 1 to 2 of version 1:\n> \| two\n> \| and a half\n>\n> A number, please\.\n/,
    );
    assert.match(
      again,
      /\nWhat version 1 changed:\n> 1 file changed, \+2 −0 lines:\n> added price\.txt/,
    );
    assert.equal(promptsTo(model.requests, "Task 2 of 2").length, 0, "it waits for the first");

    const bill = peer.next(
      ({ payload }) => payload.name === "artifact_delivered" && payload.artifact_id !== artifact_id,
    );
    await peer.ask("approve_artifact", { artifact_id });
    await bill;
    const [prompt = ""] = promptsTo(model.requests, "Task 2 of 2");
    assert.match(
      prompt,
      /\nThe plan:\n1\. Name a price \(agent_eng_1, done\)\n2\. Write the bill \(/,
    );
    assert.match(
      prompt,
      /\nWhat it builds on:\nTask 1, Name a price \(done\):\n> The price is named/,
    );
    assert.match(prompt, /\n> added price\.txt \(\+1 −0\)\n/);
    assert.match(prompt, /\nWhat the project has, two levels deep:\n(?:> .*\n)*> price\.txt\n/);
    assert.match(prompt, /\nHow the project begins to describe itself, in README\.md:\n> # Shop/);
    const results = JSON.stringify(model.requests.at(-1)?.body);
    for (const seen of ["2 tasks", "landed, 1 file,", "+3"]) {
      assert.ok(results.includes(seen), seen);
    }
    assert.deepEqual(shop.atrium.faults, []);
  },
);

/** Both write the same line; whoever sees marks puts both into it. */
function clash({ body }: ModelRequest): Behavior {
  const from = body.messages.findLastIndex(({ role }: { role: string }) => role === "user");
  const [prompt, ...rest] = body.messages.slice(from) as { role: string; content: string }[];
  const text = JSON.stringify(prompt?.content ?? "");
  const done = rest.filter(({ role }) => role === "tool").length;
  const isConflict = text.includes("Paths in conflict");
  const word = text.includes("Task 1 of 2") ? "red" : "blue";
  const content = isConflict ? "red and blue\n" : `${word}\n`;
  const calls: readonly Call[] = [
    ...(isConflict ? [["read", { path: "color.txt" }] as const] : []),
    ["write", { path: "color.txt", content }],
  ];
  const [name, input] = calls[done] ?? [];
  if (name !== undefined) return { type: "answer", toolCalls: [{ name, input: input ?? {} }] };
  return { type: "answer", chunks: [`It is ${word}.`] };
}

test(
  "[DIR-16] an agent whose change conflicts sees both sides and whose the other is, and both land",
  { skip },
  async () => {
    await using model = await openModelServer(clash);
    await using shop = await openShop({
      runtimes: { local: modelOn(model.baseUrl) },
      agents: AGENTS,
      tasks: [{ title: "Paint it red" }, { title: "Paint it blue" }],
    });
    const { peer } = shop;
    const isDelivered = (version: number) => (message: WorldMessage) =>
      message.payload.name === "artifact_delivered" && message.payload.version === version;
    await shop.request("Paint it", "shop");
    const { artifact_id: first } = (await peer.first(isDelivered(1))).payload;
    const other = await peer.first(
      (message) => isDelivered(1)(message) && message.payload.artifact_id !== first,
    );
    await peer.ask("approve_artifact", { artifact_id: first });
    await peer.first(({ payload }) => payload.name === "change_landed");
    const second = other.payload.artifact_id;
    await peer.ask("approve_artifact", { artifact_id: second });
    await peer.first(isDelivered(2));
    const [prompt = ""] = promptsTo(model.requests, "Paths in conflict");
    const [mine, theirs] = prompt.includes("Task 1 of 2") ? ["red", "blue"] : ["blue", "red"];
    assert.match(prompt, new RegExp(`\nWhat landed since:\n- Task \\d, Paint it ${theirs}, by `));
    assert.match(prompt, /\nPaths in conflict:\n- color\.txt \(/);
    assert.match(
      prompt,
      new RegExp(
        `\nIn color\\.txt:\n> <<<<<<< .*\n(?:> .*\n)*?> ${theirs}\n> =======\n> ${mine}\n> >>>>>>> `,
      ),
    );
    await peer.ask("approve_artifact", { artifact_id: second });
    await peer.first(({ payload }) => payload.name === "project_completed");
    assert.deepEqual(shop.atrium.faults, []);
  },
);
