import { accept, refuse, type Outcome, type PollRow, type Polls } from "@atrium/core";
import type { ParamsOf } from "@atrium/wire";
import {
  channelsStatus,
  poll,
  pollClose,
  pollGet,
  pollVote,
  send,
  type ChannelsStatus,
  type DeliveryReceipt,
} from "@atrium/wire/gateway";
import type { Channel, Channels, Delivery, OutgoingMessage } from "../../../channels/channel.ts";
import type { PollCommands } from "../../../channels/poll-commands.ts";
import type { CallKey } from "../../../pipeline/idempotency.ts";
import { answererOf } from "../frames/answerers.ts";
import { serve, type GatewayMethod } from "../frames/peer.ts";
import { DEFAULT_ACCOUNT, findUndeliverable } from "../params/undeliverable.ts";
import { pollSnapshot } from "../rows/poll-rows.ts";

export interface DeliveryDeps {
  readonly channels: Pick<Channels, "find" | "list" | "lastDelivery">;
  readonly pollCommands: Pick<PollCommands, "open" | "vote" | "close">;
  readonly polls: Pick<Polls, "get">;
  readonly now: () => number;
}

export type PollWish = Pick<
  ParamsOf<typeof poll>,
  | "to"
  | "question"
  | "options"
  | "maxSelections"
  | "durationSeconds"
  | "durationHours"
  | "isAnonymous"
>;

const MS_PER_SECOND = 1_000;
const MS_PER_HOUR = 3_600_000;

export function deliveryMethods(deps: DeliveryDeps): readonly GatewayMethod[] {
  const { channels, pollCommands, polls, now } = deps;
  return [
    serve(send, async (params, { caller, key }) => {
      const channel = findChannel(channels, params);
      if (!channel.ok) return channel;
      const text = params.message ?? "";
      if (text.trim() === "") return refuse("params.invalid", "text is required");
      const { name: from } = answererOf(caller.member);
      const agent = nonBlank(params.agentId);
      const message = { to: params.to, text, from, agent, key };
      return deliver(channel.value, params.idempotencyKey, message);
    }),

    serve(poll, async (params, { caller, key }) => {
      const channel = findChannel(channels, params);
      if (!channel.ok) return channel;
      const { name: from } = answererOf(caller.member);
      const call = { runId: params.idempotencyKey, from, agent: undefined, key };
      return openPoll(pollCommands, channel.value, params, call);
    }),

    serve(pollVote, async (params, { caller, key }) => {
      const { pollId, options, voter } = params;
      const client = answererOf(caller.member);
      const by =
        voter === undefined
          ? client
          : { ...client, id: `voter:${voter}`, name: voter, via: `gateway through ${client.name}` };
      return snapshot(await pollCommands.vote(pollId, options, by, key));
    }),

    serve(pollGet, ({ pollId }) => {
      const row = polls.get(pollId);
      return row === undefined
        ? refuse("poll.missing", pollId)
        : accept({ poll: pollSnapshot(row) });
    }),

    serve(pollClose, async ({ pollId }, { caller, key }) =>
      snapshot(await pollCommands.close(pollId, answererOf(caller.member), key)),
    ),

    serve(channelsStatus, ({ channel }) => {
      const wanted = channel === undefined ? undefined : channels.find(channel);
      if (wanted !== undefined && !wanted.ok) return wanted;
      const listed = wanted === undefined ? channels.list() : [wanted.value];
      return accept(describeChannels(listed, channels, now()));
    }),
  ];
}

/** The requested channel, unless the request needs more than it can do. */
export function findChannel(
  channels: Pick<Channels, "find">,
  params: Readonly<Record<string, unknown>> & { readonly channel?: string },
): Outcome<Channel> {
  const channel = channels.find(nonBlank(params.channel));
  if (!channel.ok) return channel;
  return findUndeliverable(channel.value.id, params) ?? channel;
}

export async function deliver(
  channel: Channel,
  runId: string,
  message: OutgoingMessage,
): Promise<Outcome<DeliveryReceipt>> {
  return receiptOf(runId, channel, await channel.deliver(message));
}

export async function openPoll(
  pollCommands: Pick<PollCommands, "open">,
  channel: Channel,
  wish: PollWish,
  call: {
    readonly runId: string;
    readonly from: string;
    readonly agent: string | undefined;
    readonly key: CallKey | undefined;
  },
): Promise<Outcome<DeliveryReceipt>> {
  const { to, question, options, durationSeconds, durationHours } = wish;
  const { runId, from, agent, key } = call;
  if (key === undefined) return refuse("params.invalid", "idempotencyKey is required");
  if (durationSeconds !== undefined && durationHours !== undefined) {
    return refuse("poll.malformed", "durationSeconds and durationHours exclude each other");
  }
  const seconds = durationSeconds === undefined ? null : durationSeconds * MS_PER_SECOND;
  const opened = await pollCommands.open(channel, {
    to,
    question,
    options,
    maxSelections: wish.maxSelections ?? 1,
    isAnonymous: wish.isAnonymous ?? false,
    durationMs: durationHours === undefined ? seconds : durationHours * MS_PER_HOUR,
    from,
    agent,
    key,
  });
  return receiptOf(runId, channel, opened);
}

function receiptOf(
  runId: string,
  channel: Channel,
  done: Outcome<Delivery & { readonly pollId?: string }>,
): Outcome<DeliveryReceipt> {
  if (!done.ok) return done;
  const { messageId, conversationId, channelId, pollId } = done.value;
  return accept({
    runId,
    messageId,
    channel: channel.id,
    ...(conversationId !== undefined && { conversationId }),
    ...(channelId !== undefined && { channelId }),
    ...(pollId !== undefined && { pollId }),
  });
}

function snapshot(done: Outcome<PollRow>): Outcome<{ poll: ReturnType<typeof pollSnapshot> }> {
  return done.ok ? accept({ poll: pollSnapshot(done.value) }) : done;
}

function describeChannels(
  listed: readonly Channel[],
  { lastDelivery }: Pick<Channels, "lastDelivery">,
  ts: number,
): ChannelsStatus {
  const state = { configured: true, running: true, connected: true };
  const byId = <Value>(describe: (channel: Channel) => Value): Record<string, Value> =>
    Object.fromEntries(listed.map((channel) => [channel.id, describe(channel)]));
  return {
    ts,
    channelOrder: listed.map(({ id }) => id),
    channelLabels: byId(({ label }) => label),
    channelMeta: listed.map(({ id, label }) => ({ id, label, detailLabel: label })),
    channels: byId(() => state),
    channelAccounts: byId(({ id }) => [
      {
        accountId: DEFAULT_ACCOUNT,
        enabled: true,
        ...state,
        lastError: null,
        lastOutboundAt: lastDelivery(id),
      },
    ]),
    channelDefaultAccountId: byId(() => DEFAULT_ACCOUNT),
  };
}

function nonBlank(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text;
}
