/** Files that come with a message or a request: kept before anything in the log speaks of them. */
import { accept, refuse, type Attachment, type Outcome } from "@atrium/core";

export interface IncomingFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export interface StoreAttachmentsDeps {
  /** Resolves with the digest once the bytes are durable. */
  readonly keep: (bytes: Uint8Array) => Promise<string>;
  readonly limits: { readonly maxFileBytes: number; readonly maxFiles: number };
}

export type StoreAttachments = (files: readonly IncomingFile[]) => Promise<Outcome<Attachment[]>>;

export function createStoreAttachments({ keep, limits }: StoreAttachmentsDeps): StoreAttachments {
  return async (files) => {
    const { maxFileBytes, maxFiles } = limits;
    if (files.length > maxFiles) return refuse("attachment.refused", `more than ${maxFiles} files`);
    const big = files.find(({ bytes }) => bytes.byteLength > maxFileBytes);
    if (big !== undefined) {
      const size = `${big.name} has ${big.bytes.byteLength} bytes, the limit is ${maxFileBytes}`;
      return refuse("attachment.refused", size);
    }
    const kept = files.map(async ({ name, mediaType, bytes }) => {
      return { name, mediaType, bytes: bytes.byteLength, digest: await keep(bytes) };
    });
    return accept(await Promise.all(kept));
  };
}
