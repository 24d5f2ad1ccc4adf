/** What is said of a session that was started in a terminal. Pure. */
import type { JoinedSessionInfo, WorldAgent } from "@atrium/wire/world";
import type { Texts } from "../../../i18n/texts.ts";

type Moment = JoinedSessionInfo["message_moments"][number];
type SessionMessage = NonNullable<JoinedSessionInfo["messages"]>[number];

/** Which comes first: while it works, and while it waits for a prompt. */
const WORKING: readonly Moment[] = ["at-once", "tool-result", "turn-end", "wake", "prompt"];
const IDLE: readonly Moment[] = ["at-once", "wake", "prompt", "turn-end", "tool-result"];

/** When a message that is left now will be taken. */
export function whenItArrives(
  { message_moments: moments }: Pick<JoinedSessionInfo, "message_moments">,
  status: WorldAgent["status"],
  { joined: words }: Pick<Texts, "joined">,
): string {
  const isIdle = status !== "working" && status !== "asks";
  const moment = (isIdle ? IDLE : WORKING).find((each) => moments.includes(each));
  if (moment === undefined) return words.arrives.never;
  return isIdle ? words.arrives.idle[moment] : words.arrives.working[moment];
}

/** Of a message that was left: no more than is known. */
export function whatBecameOfIt(
  {
    moment,
    offered_at: offeredAt,
    is_denied: isDenied,
  }: Pick<SessionMessage, "moment" | "offered_at" | "is_denied">,
  { joined: words }: Pick<Texts, "joined">,
): string {
  if (moment !== undefined) return words.delivered[moment];
  if (isDenied === true) return words.denied;
  return offeredAt === undefined ? words.waits : words.unconfirmed;
}

/** Where what it asks is answered; undefined where the server does not say. */
export function whereItIsAnswered(
  { answer_places: places = [] }: Pick<JoinedSessionInfo, "answer_places">,
  { joined: words }: Pick<Texts, "joined">,
): string | undefined {
  const { both, office, terminal } = words.answers;
  if (!places.includes("office")) return places.includes("terminal") ? terminal : undefined;
  return places.includes("terminal") ? both : office;
}

/** Of a session that is only read: that nothing can be sent, and how to join, where its program can. */
export function readOnlyText(
  { program }: Pick<JoinedSessionInfo, "program">,
  { joined: words }: Pick<Texts, "joined">,
): string {
  return CAN_JOIN.has(program) ? words.readOnly(`atrium join ${program}`) : words.cannotJoin;
}

/** Those into which `atrium join` installs the plugin. */
const CAN_JOIN: ReadonlySet<string> = new Set([
  "claude-code",
  "codex",
  "copilot",
  "gemini",
  "opencode",
  "qwen",
]);

/** Program, model, owner and place in one line, and where that is known from. */
export function describeJoined(
  { program, model, owner, folder, branch, source }: JoinedSessionInfo,
  { joined: words }: Pick<Texts, "joined">,
): string {
  const place =
    folder !== undefined && branch !== undefined ? words.branch(folder, branch) : folder;
  const from = source === undefined ? undefined : words.fromTranscript;
  return [program, model, owner, place, from]
    .filter((part) => part !== undefined)
    .map(shorten)
    .join(", ");
}

/** A line of the outline is to be read, whatever a program calls itself; its panel has the whole. */
const MAX_PART_CHARS = 80;

function shorten(text: string): string {
  const signs = Array.from(text);
  return signs.length <= MAX_PART_CHARS ? text : `${signs.slice(0, MAX_PART_CHARS - 1).join("")}…`;
}
