/** Which frames each side may send, by their `type`. */
import {
  BridgePermissionRequest,
  Hello,
  HelloAck,
  InboundMessage,
  PermissionReply,
  Ping,
  Pong,
  ToolCall,
  ToolResult,
} from "./frames.ts";

/** From Claude's side, the plugin. */
export const PLUGIN_FRAMES = {
  hello: Hello,
  tool_call: ToolCall,
  permission_request: BridgePermissionRequest,
  ping: Ping,
  pong: Pong,
} as const;
export type PluginFrame = Hello | ToolCall | BridgePermissionRequest | Ping | Pong;

/** From the server's side. */
export const SERVER_FRAMES = {
  hello_ack: HelloAck,
  inbound_message: InboundMessage,
  permission_reply: PermissionReply,
  tool_result: ToolResult,
  ping: Ping,
  pong: Pong,
} as const;
export type ServerFrame = HelloAck | InboundMessage | PermissionReply | ToolResult | Ping | Pong;
