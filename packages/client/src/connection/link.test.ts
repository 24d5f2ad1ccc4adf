import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { FakeNetwork } from "../testing/fake-network.ts";
import { challenge, hello } from "../testing/stage.ts";
import { TestClock } from "../testing/test-clock.ts";
import { Link, type LinkHandlers } from "./link.ts";

const settings = { url: "ws://gateway.test", connectTimeoutMs: 10_000, maxAttempts: Infinity };

test("[CLIENT-11] never has two sockets open, whatever the network, the clock and the handlers do", () => {
  fc.assert(
    fc.property(fc.array(anyDeed(), { maxLength: 80 }), (deeds) => {
      const scene = new Scene();
      for (const deed of deeds) {
        DEEDS[deed](scene);
        assert.ok(scene.network.live <= 1, `${deed} left ${scene.network.live} sockets open`);
      }
      void scene.link.close();
      assert.equal(scene.link.state.state, "stopped");
      assert.equal(scene.network.live, 0);
      for (const socket of scene.network.sockets) socket.flush();
      assert.equal(scene.clock.waiting, 0);
    }),
    { numRuns: 500 },
  );
});

test("a socket that was dropped is not heard again", () => {
  const scene = new Scene();
  scene.link.dispatch({ type: "start" });
  const first = scene.network.socket;
  scene.clock.advance(settings.connectTimeoutMs);
  assert.equal(scene.link.state.state, "waiting");
  scene.clock.advance(1_000);
  assert.equal(scene.network.sockets.length, 2);
  first.accept().say(challenge).hangUp(1008).flush();
  assert.equal(scene.link.state.state, "opening");
  assert.deepEqual(scene.received, []);
});

test("what a handler causes is handled after what it was told of", () => {
  const seen: string[] = [];
  const scene = new Scene({
    changed(state) {
      if (state.state === "opening") void scene.link.close();
      if (state.state === "opening") scene.link.dispatch({ type: "start" });
      seen.push(state.state);
    },
  });
  scene.link.dispatch({ type: "start" });
  assert.deepEqual(seen, ["opening", "stopped"]);
  assert.equal(scene.network.live, 0);
});

test("[CLIENT-11] closing waits for the peer to agree, but not for long", async () => {
  const agreed = new Scene();
  agreed.link.dispatch({ type: "start" });
  const closing = agreed.link.close();
  agreed.network.socket.flush();
  await closing;
  assert.equal(agreed.clock.waiting, 0);

  const ignored = new Scene();
  ignored.link.dispatch({ type: "start" });
  const giving = ignored.link.close();
  ignored.clock.advance(60_000);
  await giving;
});

class Scene {
  readonly network = new FakeNetwork();
  readonly clock = new TestClock();
  readonly received: unknown[] = [];
  readonly link: Link;

  constructor(handlers: Partial<LinkHandlers> = {}) {
    this.link = new Link(
      settings,
      {
        authenticate: () => undefined,
        receive: (data) => this.received.push(data),
        changed: () => undefined,
        ...handlers,
      },
      {
        WebSocket: this.network.WebSocket,
        now: this.clock.now,
        setTimer: this.clock.setTimer,
        random: () => 0.5,
      },
    );
  }
}

const DEEDS = {
  start: (scene) => scene.link.dispatch({ type: "start" }),
  accept: (scene) => scene.network.sockets.at(-1)?.accept().flush(),
  speak: (scene) => scene.network.sockets.at(-1)?.say(challenge).flush(),
  challenge: (scene) => scene.link.dispatch({ type: "challenged", challenge: challenge.payload }),
  greet: (scene) => scene.link.dispatch({ type: "hello", hello }),
  refuse: (scene) =>
    scene.link.dispatch({ type: "refused", error: { code: "UNAVAILABLE", message: "later" } }),
  restart: (scene) => scene.network.sockets.at(-1)?.hangUp(1012).flush(),
  reject: (scene) => scene.network.sockets.at(-1)?.hangUp(1008).flush(),
  ghost: (scene) => scene.network.sockets.at(0)?.accept().hangUp(1006).flush(),
  second: (scene) => scene.clock.advance(1_000),
  minute: (scene) => scene.clock.advance(60_000),
  stop: (scene) => void scene.link.close(),
} satisfies Record<string, (scene: Scene) => unknown>;

function anyDeed(): fc.Arbitrary<keyof typeof DEEDS> {
  const { stop: _, ...lively } = DEEDS;
  const names = Object.keys(lively) as (keyof typeof lively)[];
  return fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...names) },
    fc.constant("stop" as const),
  );
}
