/** Which devices are paired, what each role of theirs was granted, and which ask to be. */
import { device, type DeviceEvent, type DeviceInfo } from "../device/device.ts";
import { idIn, owns } from "../engine/dispatch.ts";
import type { Projection } from "../engine/projection.ts";

export interface Grant {
  /** What its token is good for. */
  readonly scopes: readonly string[];
  /** All that was agreed to for this role. */
  readonly approved: readonly string[];
  readonly at: number;
  /** How often the device has lost this role or its token before; tokens of earlier times are void. */
  readonly generation: number;
  readonly rotatedAt: number | null;
  /** Set while the role has no token. */
  readonly revokedAt: number | null;
}

export interface PairedDevice extends DeviceInfo {
  readonly deviceId: string;
  readonly publicKey: string;
  readonly pairedAt: number;
  readonly approvedVia: "silent" | "operator";
  /** By role. */
  readonly grants: ReadonlyMap<string, Grant>;
}

export interface DeviceRequest extends DeviceInfo {
  readonly requestId: string;
  readonly deviceId: string;
  readonly publicKey: string;
  readonly role: string;
  readonly scopes: readonly string[];
  readonly address: string;
  readonly requestedAt: number;
  readonly expiresAt: number;
}

export interface Devices extends Projection<Saved> {
  get(deviceId: string): PairedDevice | undefined;
  list(): readonly PairedDevice[];
  /** Whether a person has to let it in again: something about it could not be read. */
  isSuspended(deviceId: string): boolean;
  /** The device's own request, waiting or past its time. */
  requestOf(deviceId: string): DeviceRequest | undefined;
  /** Requests that wait, oldest first; past their time or not. */
  requests(): readonly DeviceRequest[];
}

interface Saved {
  readonly paired: readonly SavedDevice[];
  readonly waiting: readonly DeviceRequest[];
  readonly losses: readonly (readonly [name: string, count: number])[];
  readonly suspended: readonly string[];
}

/** A device as plain JSON. */
interface SavedDevice extends Omit<PairedDevice, "grants"> {
  readonly grants: readonly (readonly [role: string, grant: Grant])[];
}

interface OfRole {
  readonly deviceId: string;
  readonly role: string;
}
type ChangeOfGrant = (held: Grant | undefined, generation: number) => Grant | undefined;

export function createDevices(): Devices {
  let paired = new Map<string, PairedDevice>();
  let waiting = new Map<string, DeviceRequest>();
  let losses = new Map<string, number>();
  let suspended = new Set<string>();

  function change(deviceId: string, by: (known: PairedDevice) => PairedDevice): void {
    const known = paired.get(deviceId);
    if (known !== undefined) paired.set(deviceId, by(known));
  }

  function lose(deviceId: string, role: string): void {
    const name = nameOf(deviceId, role);
    losses.set(name, (losses.get(name) ?? 0) + 1);
  }

  const grant = ({ deviceId, role }: OfRole, by: ChangeOfGrant): void =>
    change(deviceId, (known) =>
      withGrant(known, role, by(known.grants.get(role), losses.get(nameOf(deviceId, role)) ?? 0)),
    );

  function apply(event: DeviceEvent, at: number): void {
    const { deviceId } = event;
    switch (event.type) {
      case "device.requested": {
        const { type: _type, ...request } = event;
        // Asking anew, one goes to the end of the line.
        waiting.delete(deviceId);
        return void waiting.set(deviceId, { ...request, requestedAt: at });
      }
      case "device.approved":
      case "device.rejected":
      case "device.expired":
        return void waiting.delete(deviceId);
      case "device.paired": {
        const { type: _type, ...known } = event;
        suspended.delete(deviceId);
        return void paired.set(deviceId, { ...known, pairedAt: at, grants: new Map() });
      }
      case "device.granted":
        return grant(event, (held, generation) => regrant(held, event.scopes, at, generation));
      case "device.token.rotated":
      case "device.token.revoked":
        lose(deviceId, event.role);
        return grant(event, (held, generation) => held && withToken(held, event, at, generation));
      case "device.revoked":
        lose(deviceId, event.role);
        return change(deviceId, (known) => withoutRole(known, event.role));
      case "device.removed":
        for (const role of paired.get(deviceId)?.grants.keys() ?? []) lose(deviceId, role);
        paired.delete(deviceId);
    }
  }

  return {
    name: "devices",
    version: 5,
    get: (deviceId) => paired.get(deviceId),
    list: () => [...paired.values()],
    isSuspended: (deviceId) => suspended.has(deviceId),
    requestOf: (deviceId) => waiting.get(deviceId),
    requests: () => [...waiting.values()],
    apply(entry) {
      if (owns(device, entry.stream)) apply(device.read(entry), entry.at);
    },
    // It may have been that the device lost its rights.
    distrust({ stream, at }) {
      const deviceId = idIn(device, stream);
      if (deviceId === undefined) return;
      apply({ type: "device.removed", deviceId }, at);
      waiting.delete(deviceId);
      suspended.add(deviceId);
    },
    save: (): Saved => {
      const [known, open] = [[...paired.values()].map(toSaved), [...waiting.values()]];
      return { paired: known, waiting: open, losses: [...losses], suspended: [...suspended] };
    },
    load(kept) {
      paired = new Map(kept.paired.map((known) => [known.deviceId, fromSaved(known)]));
      waiting = new Map(kept.waiting.map((request) => [request.deviceId, request]));
      losses = new Map(kept.losses);
      suspended = new Set(kept.suspended);
    },
  };
}

function toSaved(known: PairedDevice): SavedDevice {
  return { ...known, grants: [...known.grants] };
}

function fromSaved(saved: SavedDevice): PairedDevice {
  return { ...saved, grants: new Map(saved.grants) };
}

function withGrant(known: PairedDevice, role: string, grant: Grant | undefined): PairedDevice {
  return grant === undefined ? known : { ...known, grants: new Map(known.grants).set(role, grant) };
}

function withoutRole(known: PairedDevice, role: string): PairedDevice {
  const grants = new Map(known.grants);
  grants.delete(role);
  return { ...known, grants };
}

function nameOf(deviceId: string, role: string): string {
  return `${deviceId} ${role}`;
}

function regrant(
  held: Grant | undefined,
  scopes: readonly string[],
  at: number,
  generation: number,
): Grant {
  const approved = [...new Set([...(held?.approved ?? []), ...scopes])];
  const times = { at: held?.at ?? at, rotatedAt: held?.rotatedAt ?? null, revokedAt: null };
  return { scopes, approved, generation, ...times };
}

function withToken(
  held: Grant,
  event: Extract<DeviceEvent, { readonly type: `device.token.${string}` }>,
  at: number,
  generation: number,
): Grant {
  if (event.type === "device.token.revoked") return { ...held, generation, revokedAt: at };
  return { ...held, generation, scopes: event.scopes, rotatedAt: at, revokedAt: null };
}
