/** Build sessions at the whole server: over plain HTTP and at the gateway's door. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { promisify } from "node:util";
import { Compile } from "@atrium/schema";
import { BUILD_PAYLOADS, BUILD_STEPS, BuildEvent } from "@atrium/wire/build";
import { skipWithout } from "../../../scripts/system-programs.ts";
import {
  asked,
  BuildApi,
  FAST_CREW,
  openBuildHouse,
  typesOf,
  WHOLE_BUILD,
  type ToldEvent,
} from "../../kit/builds.ts";

const run = promisify(execFile);
const isEvent = Compile(BuildEvent);

test("[BUILD-16] a build is started, followed, answered and ends, all over plain HTTP", async () => {
  await using house = await openBuildHouse();
  const { api } = house;
  const id = await api.start("Build a bot that waters plants");
  const told = await api.see(id);
  assert.deepEqual(typesOf(told), WHOLE_BUILD);
  for (const event of told) {
    assert.ok(isEvent.Check(event), JSON.stringify(event));
    assert.equal(event.build_id, id);
  }
  const seqs = told.map(({ seq }) => seq);
  assert.deepEqual(
    seqs,
    [...new Set(seqs)].toSorted((a, b) => a - b),
  );
  assert.equal(new Set(told.map((event) => event.id)).size, told.length);
  const started = told.filter(({ type }) => type === "progress.step.started");
  assert.deepEqual(
    started.map(({ payload }) => payload),
    BUILD_STEPS.map(({ id: step_id, title, description }, at) => {
      return { step_id, title, description, index: at + 1, total: 7, source: "agent" };
    }),
  );
  const { build } = (await api.get(`/${id}`)).body;
  assert.equal(build.stage, "completed");
  assert.match(build.output, /rehearsal/);
  assert.ok(build.steps.every(({ state }: { state: string }) => state === "done"));
});

test("[BUILD-22] what a build delivers is listed by both doors, and handed out locked up", async () => {
  await using house = await openBuildHouse();
  const { api, atrium } = house;
  const page = { name: "<page>.html", content: "<script>1</script>", mediaType: "text/html" };
  const notes = ["# Old", "# New"].map((content) => ({ name: "notes.md", content }));
  const tools = [page, ...notes].map(
    (each) => `[[tool: deliver_artifact ${JSON.stringify(each)}]]`,
  );
  const id = await api.start(`Build a bot ${tools.join(" ")}`);
  assert.deepEqual((await api.get(`/${id}/files`)).body, { files: [] });
  await api.see(id);
  const { files } = (await api.get(`/${id}/files`)).body;
  type File = { name: string; media_type: string; path: string };
  assert.deepEqual(
    files.slice(0, 2).map(({ name, media_type }: File) => [name, media_type]),
    [
      ["<page>.html", "text/html"],
      ["notes.md", "text/markdown"],
    ],
  );
  await using peer = await atrium.connect();
  assert.deepEqual(await peer.ask("build.files", { id }), { files });
  const read = async ({ path }: File): Promise<readonly (string | null)[]> => {
    const headers = { authorization: `Bearer ${atrium.token}` };
    const answer = await fetch(new URL(path, atrium.url), { headers });
    const [type, how] = ["content-type", "content-disposition"].map((name) =>
      answer.headers.get(name),
    );
    assert.equal(answer.headers.get("content-security-policy"), "default-src 'none'; sandbox");
    return [await answer.text(), type ?? null, how?.split(";")[0] ?? null];
  };
  assert.deepEqual(await read(files[0]), [
    "<script>1</script>",
    "application/octet-stream",
    "attachment",
  ]);
  assert.deepEqual(await read(files[1]), ["# New", "text/plain; charset=utf-8", "inline"]);
  assert.equal((await fetch(new URL(files[0].path, atrium.url))).status, 401);
  assert.equal((await api.get(`/${id}/files/none`)).status, 404);
  assert.equal((await api.get("/none/files")).status, 404);
});

test("[BUILD-17] a reader that comes back goes on after what it has, and not after the end", async () => {
  await using house = await openBuildHouse();
  const { api } = house;
  const id = await api.start("Build a bot");
  const all = await api.see(id);
  for (const [at, { seq }] of all.entries()) {
    if (at === all.length - 1) continue;
    const rest = await Array.fromAsync(api.events(id, { lastEventId: seq, after: 1 }));
    assert.deepEqual(rest, all.slice(at + 1));
    assert.deepEqual(await Array.fromAsync(api.events(id, { after: seq })), rest);
  }
  const last = all.at(-1)?.seq ?? 0;
  assert.equal((await api.get(`/${id}/events?after=${last}`)).status, 204);
  assert.equal((await api.get(`/${id}/events?after=soon`)).status, 400);
});

test("[BUILD-17] a stream that is cut and resumed again and again tells everything once", async () => {
  await using house = await openBuildHouse();
  const { api } = house;
  const id = await api.start("Build a bot");
  const told: ToldEvent[] = [];
  while (told.at(-1)?.type !== "session.completed") {
    const leave = new AbortController();
    const lastEventId = told.at(-1)?.seq ?? 0;
    for await (const event of api.events(id, { lastEventId, signal: leave.signal })) {
      told.push(event);
      if (event.type === "question.requested") {
        await api.answer(id, { question_id: "audience", option_id: "me" });
      }
      if (told.length % 2 === 0) break;
    }
  }
  assert.deepEqual(told, await Array.fromAsync(api.events(id)));
});

test("[BUILD-17] a position beyond the log is answered with a reset and the whole build, to its end", async () => {
  await using house = await openBuildHouse();
  const { api, atrium } = house;
  const id = await api.start("Build a bot");
  const headers = { authorization: `Bearer ${atrium.token}`, "last-event-id": "999999999" };
  const follow = async (): Promise<readonly string[]> => {
    const answer = await fetch(new URL(`/api/builds/${id}/events`, atrium.url), { headers });
    assert.equal(answer.status, 200);
    return (await answer.text()).split("\n\n");
  };
  const live = follow();
  const told = await api.see(id);
  for (const blocks of [await live, await follow()]) {
    assert.match(blocks[0] ?? "", /^event: reset\ndata: \{"reason":".+"\}$/);
    const ids = blocks.flatMap((block) => /^id: (\d+)$/m.exec(block)?.[1] ?? []);
    assert.deepEqual(
      ids.map(Number),
      told.map(({ seq }) => seq),
    );
  }
  await using peer = await atrium.connect();
  const beyond = await peer.request("build.events", { id, after: 999_999_999 });
  assert.equal(beyond.error?.details?.reason, "position.foreign", JSON.stringify(beyond));
});

test("[BUILD-19] of two who answer at once one is told that it was too late, not that it was wrong", async () => {
  await using house = await openBuildHouse();
  const { api } = house;
  const id = await api.start("Build a bot");
  await asked(api, id);
  const answers = await Promise.all(
    ["me", "team"].map((option_id) => api.answer(id, { question_id: "audience", option_id })),
  );
  const [won, lost] = answers.toSorted((a, b) => a.status - b.status);
  assert.deepEqual([won?.status, lost?.status], [200, 409]);
  assert.equal(lost?.body.error.code, "build.not-asking");
  assert.match(lost?.body.error.message, /audience has been answered/);
  const { lines } = (await api.get(`/${id}/diagnosis`)).body;
  assert.match(JSON.stringify(lines), /an answer was refused: audience has been answered/);
});

test("[BUILD-20] the seq of an answer is where to read on from to hear all that came of it", async () => {
  await using house = await openBuildHouse();
  const { api } = house;
  const first = async (id: string, after: number): Promise<ToldEvent> => {
    for await (const event of api.events(id, { after })) return event;
    throw new Error(`nothing after ${after}`);
  };
  const { id, seq } = (await api.post("", { prompt: "Build a bot" })).body;
  assert.equal((await first(id, seq)).type, "session.started");
  await asked(api, id);
  const given = await api.answer(id, { question_id: "audience", option_id: "me", text: "and Bo" });
  const answered = await first(id, given.body.seq);
  assert.equal(answered.type, "question.answered");
  assert.deepEqual([answered.payload["option_id"], answered.payload["text"]], ["me", "and Bo"]);
  const hanging = await api.start("Build a bot [[hang]]");
  const { body: cancelled } = await api.post(`/${hanging}/cancel`);
  const end = await Array.fromAsync(api.events(hanging, { after: cancelled.seq }));
  assert.deepEqual(typesOf(end).slice(-2), ["status.changed", "session.failed"]);
  // Something else happens in the house.
  await api.start("Build a boat [[hang]]");
  const { body: again } = await api.post(`/${hanging}/cancel`);
  const [, last] = (await Array.fromAsync(api.events(hanging))).slice(-2);
  assert.equal(again.seq, last?.seq);
});

test("[BUILD-18] what is asked wrongly is answered with what is wrong", async () => {
  await using house = await openBuildHouse();
  const { api, atrium } = house;
  const codeOf = async (answered: Promise<{ status: number; body: Wrong }>) => {
    const { status, body } = await answered;
    return `${status} ${body.error.code}`;
  };
  assert.equal(await codeOf(api.post("", {})), "400 params.invalid");
  assert.equal(await codeOf(api.post("", { prompt: " " })), "400 request.empty");
  assert.equal(await codeOf(api.post("", { prompt: "x", agent: "nobody" })), "404 agent.unknown");
  assert.equal(await codeOf(api.get("/none")), "404 build.missing");
  assert.equal(await codeOf(api.get("/none/events")), "404 build.missing");
  assert.equal(await codeOf(api.get("/none/diagnosis")), "404 build.missing");
  assert.equal(await codeOf(api.post("/none/cancel")), "404 build.missing");
  assert.equal(await codeOf(api.get("?limit=0")), "400 params.invalid");
  assert.equal(await codeOf(api.get("?cursor=x")), "400 cursor.unreadable");
  const id = await api.start("Build a bot");
  await asked(api, id);
  assert.equal(
    await codeOf(api.answer(id, { question_id: "x", text: "y" })),
    "400 build.misanswered",
  );
  const stranger = new BuildApi({ url: atrium.url, token: "wrong" });
  assert.equal(await codeOf(stranger.get("")), "401 unauthorized");
  assert.equal(await codeOf(stranger.post(`/${id}/cancel`)), "401 unauthorized");
});

interface Wrong {
  readonly error: { readonly code: string };
}

test("an answer that was refused is kept for diagnosis and the build still waits", async () => {
  await using house = await openBuildHouse();
  const { api } = house;
  const id = await api.start("Build a bot");
  await asked(api, id);
  for (const answer of [
    { question_id: "audience", option_id: "martians" },
    { question_id: "colour", text: "red" },
    { question_id: "audience" },
  ]) {
    assert.equal((await api.answer(id, answer)).status, 400);
  }
  const { build } = (await api.get(`/${id}`)).body;
  assert.deepEqual([build.stage, build.rejected], ["waiting", 3]);
  assert.equal(build.question.question_id, "audience");
  const { lines } = (await api.get(`/${id}/diagnosis`)).body;
  assert.deepEqual(
    lines.map(({ fate, why }: { fate: string; why: string }) => `${fate}: ${why}`),
    [
      'rejected: an answer was refused: audience has no option martians; it takes one of "Just me", "My team", "Everyone"',
      "rejected: an answer was refused: colour is not being asked",
      "rejected: an answer was refused: audience needs an answer",
    ],
  );
  const told = await api.see(id);
  assert.deepEqual(typesOf(told), WHOLE_BUILD);
});

test("[BUILD-20] the same key starts one build, answers once and cancels once", async () => {
  await using house = await openBuildHouse();
  const { api } = house;
  const key = { "idempotency-key": "k1" };
  const first = await api.post("", { prompt: "Build a bot" }, key);
  const second = await api.post("", { prompt: "Build a bot" }, key);
  assert.deepEqual(second, first);
  const other = await api.post("", { prompt: "Build a boat" }, key);
  assert.deepEqual([other.status, other.body.error.code], [409, "key.reused"]);
  const { id } = first.body;
  await asked(api, id);
  const answers = [{ question_id: "audience", option_id: "me" }];
  const once = await api.post(`/${id}/answers`, { answers }, key);
  assert.deepEqual(await api.post(`/${id}/answers`, { answers }, key), once);
  const told = await Array.fromAsync(api.events(id));
  assert.equal(typesOf(told).filter((type) => type === "question.answered").length, 1);
});

test("[BUILD-21] builds are listed in pages, the latest first", async () => {
  await using house = await openBuildHouse();
  const { api } = house;
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.push(await api.start(`Build bot ${n} [[hang]]`));
  const seen: string[] = [];
  let query = "?limit=2";
  for (;;) {
    const { builds, next } = (await api.get(query)).body;
    seen.push(...builds.map(({ id }: { id: string }) => id));
    if (next === undefined) break;
    query = `?limit=2&cursor=${next}`;
  }
  assert.deepEqual(seen, ids.toReversed());
});

test("[BUILD-6] a cancelled build stops its agent, tells everyone, and stays cancelled", async () => {
  await using house = await openBuildHouse();
  const { api } = house;
  const id = await api.start("Build a bot [[hang]]");
  const watching = Array.fromAsync(api.events(id));
  await asked(api, id);
  await api.answer(id, { question_id: "audience", option_id: "me" });
  assert.equal((await api.post(`/${id}/cancel`)).status, 200);
  assert.equal((await api.post(`/${id}/cancel`)).status, 200);
  const told = await watching;
  assert.deepEqual(typesOf(told).slice(-2), ["status.changed", "session.failed"]);
  assert.equal(told.at(-1)?.payload.reason, "Cancelled by someone (http, token, from 127.0.0.1).");
  assert.equal((await api.get(`/${id}`)).body.build.stage, "cancelled");
});

test("[BUILD-21] the gateway serves the same builds and tells of them", async () => {
  await using house = await openBuildHouse();
  const { api, atrium } = house;
  await using peer = await atrium.connect();
  const { id, session_key } = await peer.ask("build.start", { prompt: "Build a bot", agent: "BD" });
  const { payload: question } = await peer.first(
    ({ event, payload }) => event === "build" && payload?.type === "question.requested",
  );
  assert.equal(question?.build_id, id);
  const answers = [{ question_id: "audience", option_id: "everyone" }];
  await peer.ask("build.answer", { id, answers });
  await peer.first(
    ({ event, payload }) => event === "build" && payload?.type === "session.completed",
  );
  const { events, has_more } = await peer.ask("build.events", { id });
  assert.deepEqual(events, await Array.fromAsync(api.events(id)));
  assert.equal(has_more, false);
  const { build } = await peer.ask("build.get", { id });
  assert.deepEqual((await peer.ask("build.list", {})).builds, [build]);
  assert.deepEqual((await peer.ask("build.diagnosis", { id })).lines, []);
  const { messages } = await peer.ask("chat.history", { sessionKey: session_key });
  const texts = JSON.stringify(messages);
  for (const hidden of ["FROM:TIDY", "SESSION_ID", "progress.step", "System note"]) {
    assert.ok(!texts.includes(hidden), hidden);
  }
  assert.match(texts, /Build a bot.*Who is this for\?.*Everyone/);
  await using reader = await atrium.connect({ scopes: ["operator.read"] });
  const refused = await reader.request("build.start", { prompt: "x" });
  assert.equal(refused.ok, false);
});

test("[BUILD-16] a hundred builds at once, each with its watchers, end whole", async () => {
  await using house = await openBuildHouse(FAST_CREW, { limits: { maxTurns: 100 } });
  const { api } = house;
  const seen = await Promise.all(
    Array.from({ length: 100 }, async (_, n) => {
      const id = await api.start(`Build bot number ${n}`);
      const [told, watched] = await Promise.all([api.see(id), Array.fromAsync(api.events(id))]);
      assert.deepEqual(watched, told);
      return told;
    }),
  );
  for (const told of seen) assert.deepEqual(typesOf(told), WHOLE_BUILD);
});

test(
  "[BUILD-24] the examples in docs/builds.md work as they are written",
  { skip: skipWithout("curl") },
  async () => {
    await using house = await openBuildHouse();
    const { api, atrium } = house;
    const docs = await readFile(new URL("../../../docs/builds.md", import.meta.url), "utf8");
    const [start = "", follow = "", answer = ""] = Array.from(
      docs.matchAll(/^```sh\n([^]*?)^```$/gm),
      ([, code]) => code ?? "",
    );
    const shell = async (code: string, build = ""): Promise<string> => {
      const env = {
        PATH: process.env["PATH"],
        // As the server prints it.
        ATRIUM_URL: atrium.url,
        ATRIUM_TOKEN: atrium.token,
        BUILD: build,
      };
      return (await run("sh", ["-c", code], { env })).stdout;
    };
    const { id } = JSON.parse(await shell(start));
    const watching = shell(follow, id);
    await asked(api, id);
    assert.equal(JSON.parse(await shell(answer, id)).id, id);
    const told = (await watching).matchAll(/^data: (.*)$/gm);
    const types = Array.from(told, ([, data = ""]) => JSON.parse(data).type as string);
    assert.deepEqual(types, WHOLE_BUILD);
    const table = docs.matchAll(/^\| `([a-z]+\.[a-z.]+)` \|/gm);
    assert.deepEqual(
      new Set(Array.from(table, ([, type]) => type)),
      new Set(Object.keys(BUILD_PAYLOADS)),
    );
  },
);
