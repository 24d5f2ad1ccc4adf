/**
 * A device and its key: Ed25519 by WebCrypto, which browsers offer to secure pages only.
 *
 * The device's id is a digest of its public key, so that nobody can claim the id of another. The key
 * leaves only by `exportKey`; where it is kept is the caller's choice.
 */
import { DeviceKeyUnusable } from "./errors.ts";

export interface DeviceIdentity {
  readonly id: string;
  /** The raw public key in base64url. */
  readonly publicKey: string;
  /** Signs the text; the signature in base64url. */
  readonly sign: (text: string) => Promise<string>;
}

/** The private key as a JSON Web Key: whoever holds it is the device. */
export interface DeviceKey {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  readonly x: string;
  readonly d: string;
}

export interface StoredDeviceIdentity extends DeviceIdentity {
  readonly exportKey: () => DeviceKey;
}

const ALGORITHM = "Ed25519";

export async function createDeviceIdentity(): Promise<StoredDeviceIdentity> {
  try {
    const pair = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
    if (!("privateKey" in pair)) throw new DeviceKeyUnusable("no key pair was made");
    const { x, d } = await crypto.subtle.exportKey("jwk", pair.privateKey);
    return await importDeviceIdentity({ kty: "OKP", crv: ALGORITHM, x: x ?? "", d: d ?? "" });
  } catch (cause) {
    if (cause instanceof DeviceKeyUnusable) throw cause;
    throw new DeviceKeyUnusable("this platform cannot make an Ed25519 key", cause);
  }
}

export async function importDeviceIdentity(key: DeviceKey): Promise<StoredDeviceIdentity> {
  const { kty, crv, x, d } = key;
  try {
    const jwk = { kty, crv, x, d };
    const privateKey = await crypto.subtle.importKey("jwk", jwk, ALGORITHM, false, ["sign"]);
    const digest = await crypto.subtle.digest("SHA-256", fromBase64Url(x));
    return {
      id: toHex(digest),
      publicKey: x,
      exportKey: () => jwk,
      async sign(text) {
        const bytes = new TextEncoder().encode(text);
        return toBase64Url(await crypto.subtle.sign(ALGORITHM, privateKey, bytes));
      },
    };
  } catch (cause) {
    throw new DeviceKeyUnusable("the device key cannot be used here", cause);
  }
}

function toHex(buffer: ArrayBuffer): string {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function toBase64Url(buffer: ArrayBuffer): string {
  const binary = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}
