/** Gateway wire: a file that comes inside a message. */
import { Type, type Static } from "@atrium/schema";

/** Open, because clients add hints of their own. `content` is base64, with or without a `data:` prefix. */
export const ChatAttachment = Type.Object({
  type: Type.Optional(Type.String()),
  mimeType: Type.Optional(Type.String()),
  fileName: Type.Optional(Type.String()),
  content: Type.Optional(Type.Unknown()),
  sizeBytes: Type.Optional(Type.Number()),
  durationMs: Type.Optional(Type.Number()),
  width: Type.Optional(Type.Number()),
  height: Type.Optional(Type.Number()),
});
export type ChatAttachment = Static<typeof ChatAttachment>;
