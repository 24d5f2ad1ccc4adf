/** What a permission is asked for, in whole: what people read before they answer. */
import { Type, type Static } from "@atrium/schema";
import { Count, strictObject } from "./scalars.ts";

const Text = Type.String();

/** How far an "always" reaches, narrowest first. */
const ALWAYS_SCOPES = ["conversation", "project", "everywhere"] as const;
export const AlwaysScope = Type.Enum([...ALWAYS_SCOPES]);
export type AlwaysScope = Static<typeof AlwaysScope>;

/** Every text in it is visible text: what cannot be seen is written out. */
export const PermissionSubject = strictObject({
  tool: Text,
  /** What would be done; all of it when `is_whole`, else its beginning. */
  input: Text,
  /** What the agent says of it. */
  details: Type.Optional(Text),
  /** The folder it would be done in. */
  cwd: Type.Optional(Text),
  /** The machine or gateway it would be done on; left out: the server's own. */
  host: Type.Optional(Text),
  node_id: Type.Optional(Text),
  agent_id: Type.Optional(Text),
  /** What would be written, as far as that is known beforehand. */
  writes: Type.Optional(Type.Array(strictObject({ path: Text, text: Text }))),
  warning: Type.Optional(Text),
  may_always: Type.Boolean(),
  always_scopes: Type.Array(AlwaysScope),
  /** False: too long to be sent with everything else. It is read at `read_at`, and allowed by who has read it. */
  is_whole: Type.Boolean(),
  /** Characters of all of it. */
  size: Count,
  /** A path on this server. */
  read_at: Type.Optional(Text),
});
export type PermissionSubject = Static<typeof PermissionSubject>;
