/** The front desk without a model: it answers and offers, through every door. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openBuildHouse } from "../../kit/builds.ts";
import { ended, send } from "../../kit/chat-runs.ts";
import { openaiClient, saying } from "../../kit/openai.ts";
import { enterWorld, type WorldMessage } from "../../kit/world-peer.ts";

test("[DESK-5] [REHEARSAL-10] an offer is taken up in the office, and how far it is is told at every door", async () => {
  await using house = await openBuildHouse();
  const { atrium } = house;
  await using peer = await enterWorld(atrium);
  await using gateway = await atrium.connect();
  const isAnswer = ({ type, payload }: WorldMessage): boolean =>
    type === "chat" && payload.from === "agent_bd" && payload.project_id === undefined;
  const ask = {
    async office(text: string): Promise<WorldMessage["payload"]> {
      const answer = peer.next(isAnswer);
      await peer.ask("chat", { text });
      return (await answer).payload;
    },
    async gateway(text: string): Promise<string> {
      await send(gateway, `run-${text.length}`, text);
      const { payload } = await ended(gateway, `run-${text.length}`);
      return payload.message.content[0].text;
    },
    async openai(text: string): Promise<string> {
      const { choices } = await openaiClient(atrium).chat.completions.create(saying(text));
      return choices[0]?.message.content ?? "";
    },
  };
  assert.match((await ask.office("How far is it?")).text, /There is no project yet\./);
  const request = "Please build me a tide table";
  const { text, suggested_actions: actions } = await ask.office(request);
  assert.match(text, /I can make this a project/);
  const label = "Make it a project";
  assert.deepEqual(actions, [{ action: "submit_request", label, text: request }]);
  assert.match(await ask.openai("Please write a poem"), /I can make this a project/);
  assert.deepEqual(peer.told("event"), [], "an offer makes nothing by itself");
  await peer.ask("submit_request", { text: request });
  await peer.event("kickoff_finished");
  const standing = /"Tide table" \(proj_[a-z0-9]+\): planned; 0 of \d tasks done; .*to be assigned/;
  assert.match((await ask.office("How far is it?")).text, standing);
  assert.match(await ask.gateway("How far is it?"), standing);
  assert.match(await ask.openai("How far is it?"), standing);
  assert.deepEqual(atrium.faults, []);
});
