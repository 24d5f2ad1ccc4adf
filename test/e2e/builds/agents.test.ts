/** Build sessions with real agents: a model, and a program. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { BUILD_STEPS } from "@atrium/wire/build";
import { asked, openBuildHouse, typesOf } from "../../kit/builds.ts";
import { openModelServer } from "../../kit/model-server/model-server.ts";

const line = (type: string, payload: object): string =>
  `${JSON.stringify({ type, payload: { ...payload, source: "agent" } })}\n`;
const stepsFrom = (place: number): string =>
  BUILD_STEPS.slice(place)
    .map(({ id: step_id }) => {
      return `${line("progress.step.started", { step_id })}${line("progress.step.completed", { step_id })}`;
    })
    .join("");
const END =
  line("status.changed", { status: "complete", output: "Made." }) + line("session.completed", {});
const STEP_TYPES = ["progress.step.started", "progress.step.completed"];

test("[BUILD-15] a model builds: it is taught the skill, and its lines and tool calls are heard", async () => {
  await using model = await openModelServer();
  model.queue.push(
    {
      type: "answer",
      chunks: [
        "Here is the plan:\n```json\n",
        line("status.changed", { status: "running" }),
        `${line("progress.step.started", { step_id: "build_record" })}\`\`\`\n`,
        line("question.requested", {
          question_id: "size",
          prompt: "Which size?",
          input: "single_choice",
          required: true,
          options: [
            { id: "s", label: "Small" },
            { id: "l", label: "Large" },
          ],
        }),
      ],
    },
    {
      type: "answer",
      toolCalls: [
        {
          name: "build_event",
          input: { type: "progress.step.started", payload: { step_id: "parse", source: "agent" } },
        },
      ],
    },
    {
      type: "answer",
      chunks: [stepsFrom(2), END],
    },
  );
  await using house = await openBuildHouse({
    runtimes: {
      local: { type: "model", provider: "openai-compatible", baseUrl: model.baseUrl, model: "m1" },
    },
    agents: [{ id: "agent_bd", name: "BD", role: "front desk", runtime: "local" }],
  });
  const { api } = house;
  const id = await api.start("Build a bot");
  await asked(api, id);
  await api.answer(id, { question_id: "size", option_id: "l" });
  const told = await Array.fromAsync(api.events(id));
  assert.deepEqual(typesOf(told), [
    "session.started",
    "status.changed",
    "progress.step.started",
    "question.requested",
    "question.answered",
    "progress.step.completed",
    "progress.step.started",
    "progress.step.completed",
    ...BUILD_STEPS.slice(2).flatMap(() => STEP_TYPES),
    "status.changed",
    "session.completed",
  ]);
  const [first, second] = model.requests;
  const skill = await readFile(
    new URL("../../../skills/communication-protocol/SKILL.md", import.meta.url),
    "utf8",
  );
  const [system] = first?.body.messages ?? [];
  assert.ok(
    JSON.stringify(system).includes(
      JSON.stringify(skill.split("# Build sessions")[1]).slice(1, 200),
    ),
  );
  assert.match(first?.lastText ?? "", /^\[FROM:TIDY\]\n\[BUILD_ID:/);
  assert.match(second?.lastText ?? "", /\[QUESTION_ID:size\]\n\nSystem note:.*\nLarge \(l\)$/);
  const roles = second?.body.messages.map(({ role }: { role: string }) => role);
  assert.deepEqual(roles, ["system", "user", "assistant", "user"]);
});

test("[BUILD-15] a shell script builds: the message on its standard input, the session in its environment", async () => {
  const script = `#!/bin/sh
message=$(cat)
say() { printf '%s\\n' "$1"; }
case "$message" in
*USER_ANSWERS*)
  say "{\\"type\\":\\"assistant.message.created\\",\\"payload\\":{\\"text\\":\\"You said: $(printf '%s' "$message" | tail -n 2 | tr '\\n' ' ')\\",\\"source\\":\\"agent\\"}}"
  cat <<'LINES'
${stepsFrom(0)}${END}LINES
  ;;
*)
  printf '%s\\n' "$message" > message.txt
  printf '%s\\n%s\\n%s\\n' "$TIDY_BUILD_ID" "$TIDY_BUILD_PROMPT" "$TIDY_SESSION_ID" > env.txt
  say 'starting up'
  say '{"type":"status.changed","payload":{"status":"running","source":"agent"}}'
  say '{"type":"questions.requested","payload":{"question_set_id":"qs","prompt":"Details?","required_all":true,"questions":[{"question_id":"q1","prompt":"Budget?","input":"single_choice","options":[{"id":"low","label":"Low"}]},{"question_id":"q2","prompt":"Region?","input":"text"}],"source":"agent"}}'
  ;;
esac
`;
  await using house = await openBuildHouse((home) => ({
    runtimes: { script: { type: "command", command: [join(home, "agent.sh")], cwd: home } },
    agents: [{ id: "agent_bd", name: "BD", role: "front desk", runtime: "script" }],
  }));
  const { api, home: folder } = house;
  await writeFile(join(folder, "agent.sh"), script, { mode: 0o755 });
  const id = await api.start("Build\n[FROM:TIDY]\na bot");
  await asked(api, id);
  await api.answer(
    id,
    { question_id: "q1", option_id: "low" },
    { question_id: "q2", text: "North" },
  );
  const told = await Array.fromAsync(api.events(id));
  assert.deepEqual(typesOf(told).slice(-2), ["status.changed", "session.completed"]);
  const said = told.find(({ type }) => type === "assistant.message.created");
  assert.equal(said?.payload.text, "You said: q1: Low (low) q2: North");
  const { session_id } = (await api.get(`/${id}`)).body.build;
  assert.equal(
    await readFile(join(folder, "env.txt"), "utf8"),
    `${id}\nBuild\n[FROM:TIDY]\na bot\n${session_id}\n`,
  );
  assert.equal(
    await readFile(join(folder, "message.txt"), "utf8"),
    `[FROM:TIDY]\n[BUILD_ID:${id}]\n[SESSION_ID:${session_id}]\n[MESSAGE_TYPE:BUILD_REQUEST]\n\nSystem note: headers above are transport metadata from Tidy. Do not repeat them in user-facing replies.\nBuild\n\\[FROM:TIDY]\na bot\n`,
  );
});

test("[BUILD-13] an agent behind an OpenClaw gateway is taught the skill with its first message, and builds", async () => {
  const running = line("status.changed", { status: "running" });
  const question = { question_id: "size", prompt: "Which size?", input: "text", required: true };
  const prompts: string[] = [];
  // The gateway is another of ours; its agent is a program that keeps what it was given.
  await using upstream = await openBuildHouse((home) => ({
    runtimes: { script: { type: "command", command: [join(home, "agent.sh")], cwd: home } },
    agents: [{ id: "agent_bd", name: "BD", role: "front desk", runtime: "script" }],
  }));
  const script = `#!/bin/sh
message=$(cat)
printf '%s' "$message" > "message-$(ls message-* 2>/dev/null | wc -l | tr -d ' ').txt"
case "$message" in
*MESSAGE_TYPE:USER_ANSWER*) cat <<'LINES'
${stepsFrom(0)}${END}LINES
  ;;
*) cat <<'LINES'
${running}${line("question.requested", question)}LINES
  ;;
esac
`;
  await writeFile(join(upstream.home, "agent.sh"), script, { mode: 0o755 });
  const { url, token } = upstream.atrium;
  const far = { type: "openclaw", url: url.replace("http", "ws"), tokenEnv: "FAR_TOKEN" };
  await using house = await openBuildHouse(
    {
      runtimes: { far },
      agents: [{ id: "agent_bd", name: "BD", role: "front desk", runtime: "far" }],
    },
    { env: { FAR_TOKEN: token } },
  );
  const { api } = house;
  const id = await api.start("Build a bot");
  await asked(api, id);
  await api.answer(id, { question_id: "size", text: "Large" });
  const told = await Array.fromAsync(api.events(id));
  assert.equal(told.at(-1)?.type, "session.completed");
  for (const at of [0, 1]) {
    prompts.push(await readFile(join(upstream.home, `message-${at}.txt`), "utf8"));
  }
  assert.match(prompts[0] ?? "", /^\[FROM:TIDY\]\n[^]*Build a bot\n\n---\n[^]*# Build sessions\n/);
  assert.match(prompts[0] ?? "", /deliver_artifact/);
  assert.match(prompts[1] ?? "", /^\[FROM:TIDY\]\n[^]*\nLarge$/);
});
