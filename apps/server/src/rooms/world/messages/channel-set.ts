/** Which channels a client wants, as one small number: clients with the same number hear the same bytes. */
import { CHANNELS, type WorldChannel } from "@atrium/wire/world";

export type ChannelSet = number;

export function channelSet(wanted: { readonly [C in WorldChannel]?: boolean }): ChannelSet {
  return CHANNELS.reduce(
    (set, channel) => (wanted[channel] === true ? set | bit(channel) : set),
    0,
  );
}

export function hasChannel(set: ChannelSet, channel: WorldChannel): boolean {
  return (set & bit(channel)) !== 0;
}

function bit(channel: WorldChannel): number {
  return 1 << CHANNELS.indexOf(channel);
}
