/** What things are called on the wire. Names are the peer's business; these only say what fits. */
import { Type } from "@atrium/schema";

/** Short ("main") or full ("agent:main:main"). */
export const SessionKey = Type.String({ minLength: 1, maxLength: 512 });
/** Chosen by the client; the same key for the same request makes it happen once. */
export const IdempotencyKey = Type.String({ minLength: 1, maxLength: 256 });
/** What a person or program says; longer things are attachments. */
export const MessageText = Type.String({ maxLength: 1_000_000 });
