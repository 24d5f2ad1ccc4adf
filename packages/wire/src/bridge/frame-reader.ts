/** The bridge's frames, read the same way at both ends. */
import { createFrameReader, type FrameReader } from "../frame-reader.ts";
import { PLUGIN_FRAMES, SERVER_FRAMES, type PluginFrame, type ServerFrame } from "./catalogue.ts";

export { UnreadableFrame, type FrameReader } from "../frame-reader.ts";

export const createPluginFrameReader = (): FrameReader<PluginFrame> =>
  createFrameReader(PLUGIN_FRAMES);
export const createServerFrameReader = (): FrameReader<ServerFrame> =>
  createFrameReader(SERVER_FRAMES);
