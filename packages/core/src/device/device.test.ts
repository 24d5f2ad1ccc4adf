import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemoryLog } from "@atrium/log";
import { createDispatch } from "../dispatch.ts";
import { createDevices } from "../projections/devices.ts";
import { openProjections } from "../projections/runner.ts";
import { refuse } from "../refusal.ts";
import { createTestClock, given } from "../testing/index.ts";
import { device, type Admit, type DeviceEvent } from "./device.ts";

const info = { clientId: "cli", clientMode: "cli", platform: "linux", displayName: null };

function admit(change: Partial<Admit> = {}): Admit {
  const scopes = ["operator.read"];
  return {
    type: "admit",
    deviceId: "d1",
    publicKey: "pk",
    role: "operator",
    scopes,
    info,
    ...change,
  };
}

const paired: DeviceEvent = {
  type: "device.paired",
  deviceId: "d1",
  publicKey: "pk",
  approvedVia: "silent",
  ...info,
};
const granted = (...scopes: string[]): DeviceEvent => ({
  type: "device.granted",
  deviceId: "d1",
  role: "operator",
  scopes,
});

test("[CORE-30] a new device is paired and granted what it asked for", () => {
  assert.deepEqual(given(device).when(admit()), {
    ok: true,
    value: [paired, granted("operator.read")],
  });
});

test("[CORE-30] a device that asks for more keeps what it had", () => {
  const outcome = given(device, paired, granted("operator.read")).when(
    admit({ scopes: ["operator.admin"] }),
  );
  assert.deepEqual(outcome, { ok: true, value: [granted("operator.admin", "operator.read")] });
});

test("[CORE-30] roles are granted apart", async () => {
  await using log = openMemoryLog();
  const devices = createDevices();
  await using projections = await openProjections(log, [devices]);
  const dispatch = createDispatch({
    log,
    clock: createTestClock(),
    settled: (seq) => projections.settled(seq),
  });
  await dispatch(device, "d1", admit());
  await dispatch(device, "d1", admit({ role: "node", scopes: [] }));
  const grants = devices.get("d1")?.grants;
  assert.deepEqual(Object.keys(grants ?? {}), ["operator", "node"]);
  assert.deepEqual(grants?.["operator"]?.scopes, ["operator.read"]);
});

test("[CORE-31] a device that comes back as it was writes nothing", () => {
  const outcome = given(device, paired, granted("operator.read")).when(admit());
  assert.deepEqual(outcome, { ok: true, value: [] });
});

test("[CORE-31] a device that comes back with another key is refused", () => {
  const outcome = given(device, paired, granted()).when(admit({ publicKey: "other" }));
  assert.deepEqual(outcome, refuse("device.mismatched"));
});
