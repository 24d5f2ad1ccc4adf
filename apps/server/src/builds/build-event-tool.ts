/** The other way to say an event: as a tool, for agents that would rather call than write. Build turns only. */
import { AGENT_PAYLOADS } from "@atrium/wire/build";
import type { ToolDeclaration, ToolResult } from "../agents/turn/agent-runtime.ts";
import type { RecordResult, AgentOutputRecorder } from "./agent-output-recorder.ts";

export const BUILD_EVENT_TOOL: ToolDeclaration = {
  name: "build_event",
  description:
    "Reports one event of this build to the people who wait for it: a step started or completed, a short message, a question, the status, the end. You may write the same events as JSON lines instead; use one way, not both.",
  input: {
    type: "object",
    required: ["type", "payload"],
    additionalProperties: false,
    properties: {
      type: { type: "string", enum: Object.keys(AGENT_PAYLOADS) },
      payload: {
        type: "object",
        description: "As the instructions of the build session describe it.",
      },
    },
  },
};

export async function callBuildEvent(
  input: unknown,
  recorder: AgentOutputRecorder,
  onRecorded: (result: RecordResult) => void,
): Promise<ToolResult> {
  if (typeof input !== "object" || input === null || !("type" in input)) {
    return { text: "build_event needs a type and a payload. Nothing was reported.", isError: true };
  }
  const { type } = input;
  if (typeof type !== "string") return { text: "type must be a string.", isError: true };
  const result = await recorder.event({ ...input, type });
  onRecorded(result);
  return result.ok
    ? { text: "Reported.", isError: false }
    : {
        text: `This event was not reported: ${result.why}. Correct it and call build_event again.`,
        isError: true,
      };
}
