import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryBus } from "@atrium/log/chain";
import { ConfigError } from "../../platform/config-error.ts";
import { STRANGE_MESSAGES } from "../testing/strange-messages.ts";
import { claimName, type ClaimNameDeps } from "./claim-name.ts";

const bearer = (id: string, life: string): Omit<ClaimNameDeps, "bus"> => ({
  self: { id, life },
  url: () => `http://${life}:1/`,
});

test("[NODE-17] a name that a living node has is refused, with where that node is; others are free", async () => {
  const bus = createMemoryBus();
  using _first = await claimName({ bus, ...bearer("n 1", "a") });
  using _other = await claimName({ bus, ...bearer("n 2", "b") });
  await assert.rejects(claimName({ bus, ...bearer("n 1", "c") }), (error) => {
    assert.ok(error instanceof ConfigError);
    assert.match(error.message, /another node called n 1 runs at http:\/\/a:1\/: give .* --node/);
    return true;
  });
});

test("[NODE-17] a name is free again once its node is gone", async () => {
  const bus = createMemoryBus();
  const first = await claimName({ bus, ...bearer("n1", "a") });
  first[Symbol.dispose]();
  using _again = await claimName({ bus, ...bearer("n1", "b") });
});

test("[NODE-35] what is no answer of a node keeps nobody from its name", async () => {
  for (const text of STRANGE_MESSAGES) {
    const bus = createMemoryBus();
    const subject = `cluster.name.${Buffer.from("n1").toString("hex")}`;
    using _strange = bus.subscribe(subject, (_bytes, reply) => reply?.(Buffer.from(text)));
    using _claimed = await claimName({ bus, ...bearer("n1", "a") });
  }
});
