/**
 * `message.action`: what OpenClaw's command line calls for everything it does in a channel. Its params are
 * untyped and named after the flags of that command line; here they become the calls of `send` and `poll`.
 */
import { accept, refuse, type Outcome } from "@atrium/core";
import { own } from "@atrium/wire";
import type { ResultOf } from "@atrium/wire";
import { messageAction, type MessageActionParams } from "@atrium/wire/gateway";
import type { Channel } from "../../../channels/channel.ts";
import type { PollChoice } from "../../../channels/poll-commands.ts";
import type { CallKey } from "../../../pipeline/idempotency.ts";
import { answererOf } from "../frames/answerers.ts";
import { type GatewayMethod, type GatewayPeer, serve } from "../frames/peer.ts";
import { findUndeliverable } from "../params/undeliverable.ts";
import { pollSnapshot } from "../rows/poll-rows.ts";
import { deliver, findChannel, openPoll, type DeliveryDeps, type PollWish } from "./delivery.ts";

type ActionResult = Outcome<ResultOf<typeof messageAction>>;

interface ActionCall {
  readonly channel: Channel;
  readonly request: MessageActionParams;
  readonly member: GatewayPeer;
  readonly key: CallKey | undefined;
}

const MAX_OPTIONS = 12;

export function messageActionMethods(
  deps: Pick<DeliveryDeps, "channels" | "pollCommands">,
): readonly GatewayMethod[] {
  const { channels, pollCommands } = deps;

  async function sendPoll({ channel, request, member, key }: ActionCall): Promise<ActionResult> {
    const wish = readPoll(request.params);
    if (!wish.ok) return wish;
    const { name: from } = answererOf(member);
    const call = { runId: request.idempotencyKey, from, agent: request.agentId, key };
    const sent = await openPoll(pollCommands, channel, wish.value, call);
    return sent.ok ? accept({ ok: true, ...sent.value }) : sent;
  }

  async function vote({ channel, request, member, key }: ActionCall): Promise<ActionResult> {
    const { params, requesterSenderId: sender } = request;
    const pollId = textOf(params, "pollId");
    if (pollId === undefined) return refuse("params.invalid", "pollId is required");
    const choices = choicesOf(params);
    if (choices.length === 0) return refuse("params.invalid", "option or options is required");
    const client = answererOf(member);
    const by =
      sender === undefined || sender === ""
        ? client
        : {
            ...client,
            id: `${channel.id}:${sender}`,
            name: sender,
            via: `${channel.id} through ${client.name}`,
          };
    const done = await pollCommands.vote(pollId, choices, by, key);
    if (!done.ok) return done;
    const { idempotencyKey: runId } = request;
    const state = pollSnapshot(done.value);
    return accept({ ok: true, runId, channel: channel.id, pollId, poll: state });
  }

  return [
    serve(messageAction, async (request, { caller, key }) => {
      const channel = findChannel(channels, {
        channel: request.channel,
        accountId: request.accountId,
      });
      if (!channel.ok) return channel;
      const beyond = findUndeliverable(channel.value.id, {
        ...request.params,
        replyTo: request.reply,
      });
      if (beyond !== undefined) return beyond;
      const call = { channel: channel.value, request, member: caller.member, key };
      switch (request.action) {
        case "send":
          return sendMessage(call);
        case "poll":
          return sendPoll(call);
        case "poll-vote":
          return vote(call);
        default:
          return refuse(
            "channel.incapable",
            `message action ${request.action} not supported for channel ${channel.value.id}`,
          );
      }
    }),
  ];
}

async function sendMessage({ channel, request, member, key }: ActionCall): Promise<ActionResult> {
  const { params, agentId: agent } = request;
  const to = textOf(params, "to", "target");
  const text = textOf(params, "message", "text");
  if (to === undefined) return refuse("params.invalid", "to is required");
  if (text === undefined) return refuse("params.invalid", "message is required");
  const { name: from } = answererOf(member);
  const sent = await deliver(channel, request.idempotencyKey, { to, text, from, agent, key });
  return sent.ok ? accept({ ok: true, ...sent.value }) : sent;
}

type Params = MessageActionParams["params"];

function readPoll(params: Params): Outcome<PollWish> {
  const to = textOf(params, "to", "target");
  const question = textOf(params, "pollQuestion", "question");
  const options = listOf(params, "pollOption", "options").filter(
    (each) => typeof each === "string",
  );
  if (to === undefined) return refuse("params.invalid", "to is required");
  if (question === undefined) return refuse("params.invalid", "pollQuestion is required");
  const seconds = numberOf(params, "pollDurationSeconds", "durationSeconds");
  const hours = numberOf(params, "pollDurationHours", "durationHours");
  for (const length of [seconds, hours]) {
    if (length !== undefined && !(Number.isInteger(length) && length >= 1 && length <= 604_800)) {
      return refuse("poll.malformed", `a poll cannot last ${length}`);
    }
  }
  const isMultiple = params["pollMulti"] === true;
  return accept({
    to,
    question,
    options,
    maxSelections: isMultiple ? Math.min(options.length, MAX_OPTIONS) : 1,
    isAnonymous: params["pollAnonymous"] === true,
    ...(seconds !== undefined && { durationSeconds: seconds }),
    ...(hours !== undefined && { durationHours: hours }),
  });
}

function choicesOf(params: Params): readonly PollChoice[] {
  return listOf(params, "options", "option", "pollOption").filter(
    (each) => typeof each === "string" || typeof each === "number",
  );
}

/** The first of these that is not blank. */
function textOf(params: Params, ...names: readonly string[]): string | undefined {
  return names
    .map((name) => own(params, name))
    .filter((value) => typeof value === "string")
    .find((value) => value.trim() !== "");
}

/** Command lines send numbers as text. */
function numberOf(params: Params, ...names: readonly string[]): number | undefined {
  const value = names
    .map((name) => own(params, name))
    .find((each) => each !== undefined && each !== "");
  return value === undefined || value === null ? undefined : Number(value);
}

function listOf(params: Params, ...names: readonly string[]): readonly unknown[] {
  const value = names.map((name) => own(params, name)).find((each) => each !== undefined);
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
