/**
 * Four spans as OpenTelemetry's own JavaScript exporters sent them, once as protobuf and once as JSON: an agent that was
 * invoked, a chat, a tool that failed, and a span that has nothing to do with models.
 */
export const PROTOBUF_TRACES = Buffer.from(
  [
    "CrcHChsKFwoMc2VydmljZS5uYW1lEgcKBXNjb3V0EAASlwcKBgoEdGVzdBK/AQoQEta0d1ct+CAuT1rXsoBFlxIIfNArv1X5",
    "uEAqEmludm9rZV9hZ2VudCBTY291dDABOcCQPqaOXegYQcBa2eGOXegYSicKFWdlbl9haS5vcGVyYXRpb24ubmFtZRIOCgxp",
    "bnZva2VfYWdlbnRKHAoRZ2VuX2FpLmFnZW50Lm5hbWUSBwoFU2NvdXRKIgoWZ2VuX2FpLmNvbnZlcnNhdGlvbi5pZBIICgZj",
    "b252XzFQAGAAcAB6AhgAhQEBAQAAErcCChDLIcO/oLINJT9+TqlwfQPfEgjthXTi+Sm9TCoGY2hhdCBtMAE5wJA+po5d6BhB",
    "AOZetI5d6BhKHwoVZ2VuX2FpLm9wZXJhdGlvbi5uYW1lEgYKBGNoYXRKGwoUZ2VuX2FpLnJlcXVlc3QubW9kZWwSAwoBbUof",
    "ChlnZW5fYWkudXNhZ2UuaW5wdXRfdG9rZW5zEgIYZEogChpnZW5fYWkudXNhZ2Uub3V0cHV0X3Rva2VucxICGBRKbAoWZ2Vu",
    "X2FpLm91dHB1dC5tZXNzYWdlcxJSClBbeyJyb2xlIjoiYXNzaXN0YW50IiwicGFydHMiOlt7InR5cGUiOiJ0ZXh0IiwiY29u",
    "dGVudCI6IkhpZ2ggd2F0ZXIgYXQgbm9vbi4ifV19XVAAYABwAHoCGACFAQEBAAASxwIKECx6XCMRjaCiwGzd+x9iO50SCFEs",
    "ijxsr3CbKhNleGVjdXRlX3Rvb2wgc2VhcmNoMAE5wJA+po5d6BhBAMdUuo5d6BhKJwoVZ2VuX2FpLm9wZXJhdGlvbi5uYW1l",
    "Eg4KDGV4ZWN1dGVfdG9vbEocChBnZW5fYWkudG9vbC5uYW1lEggKBnNlYXJjaEofChNnZW5fYWkudG9vbC5jYWxsLmlkEggK",
    "BmNhbGxfMUotChpnZW5fYWkudG9vbC5jYWxsLmFyZ3VtZW50cxIPCg17InEiOiJ0aWRlcyJ9ShQKBGxpc3QSDCoKCgMKAWEK",
    "AwoBYkoSCgVyYXRpbxIJIQAAAAAAAOA/SgoKBGZsYWcSAhABShcKCG5lZ2F0aXZlEgsY/f//////////AVAAYABwAHoOEgpu",
    "byBuZXR3b3JrGAKFAQEBAAASRwoQT1xKEt6SZq615tRIwmw1UhIIgPhmv8a9rLIqBUdFVCAvMAE5wJA+po5d6BhBwJA+po5d",
    "6BhQAGAAcAB6AhgAhQEBAQAA",
  ].join(""),
  "base64",
);

export const JSON_TRACES = {
  resourceSpans: [
    {
      resource: {
        attributes: [
          {
            key: "service.name",
            value: {
              stringValue: "scout",
            },
          },
        ],
        droppedAttributesCount: 0,
      },
      scopeSpans: [
        {
          scope: {
            name: "test",
          },
          spans: [
            {
              traceId: "1c2e364b4c57139b742f3a488c36eb68",
              spanId: "a47a65a79d9f97f7",
              name: "invoke_agent Scout",
              kind: 1,
              startTimeUnixNano: "1794787318763000000",
              endTimeUnixNano: "1794787319763000000",
              attributes: [
                {
                  key: "gen_ai.operation.name",
                  value: {
                    stringValue: "invoke_agent",
                  },
                },
                {
                  key: "gen_ai.agent.name",
                  value: {
                    stringValue: "Scout",
                  },
                },
                {
                  key: "gen_ai.conversation.id",
                  value: {
                    stringValue: "conv_1",
                  },
                },
              ],
              droppedAttributesCount: 0,
              events: [],
              droppedEventsCount: 0,
              status: {
                code: 0,
              },
              links: [],
              droppedLinksCount: 0,
              flags: 257,
            },
            {
              traceId: "c05d20400d3fe51fb4162af2c3123ef4",
              spanId: "a2fcdab542e830d8",
              name: "chat m",
              kind: 1,
              startTimeUnixNano: "1794787318763000000",
              endTimeUnixNano: "1794787319000000000",
              attributes: [
                {
                  key: "gen_ai.operation.name",
                  value: {
                    stringValue: "chat",
                  },
                },
                {
                  key: "gen_ai.request.model",
                  value: {
                    stringValue: "m",
                  },
                },
                {
                  key: "gen_ai.usage.input_tokens",
                  value: {
                    intValue: 100,
                  },
                },
                {
                  key: "gen_ai.usage.output_tokens",
                  value: {
                    intValue: 20,
                  },
                },
                {
                  key: "gen_ai.output.messages",
                  value: {
                    stringValue:
                      '[{"role":"assistant","parts":[{"type":"text","content":"High water at noon."}]}]',
                  },
                },
              ],
              droppedAttributesCount: 0,
              events: [],
              droppedEventsCount: 0,
              status: {
                code: 0,
              },
              links: [],
              droppedLinksCount: 0,
              flags: 257,
            },
            {
              traceId: "bfff37b9b53351fb5ac8aea03cab29a6",
              spanId: "945d61c6f7549740",
              name: "execute_tool search",
              kind: 1,
              startTimeUnixNano: "1794787318763000000",
              endTimeUnixNano: "1794787319100000000",
              attributes: [
                {
                  key: "gen_ai.operation.name",
                  value: {
                    stringValue: "execute_tool",
                  },
                },
                {
                  key: "gen_ai.tool.name",
                  value: {
                    stringValue: "search",
                  },
                },
                {
                  key: "gen_ai.tool.call.id",
                  value: {
                    stringValue: "call_1",
                  },
                },
                {
                  key: "gen_ai.tool.call.arguments",
                  value: {
                    stringValue: '{"q":"tides"}',
                  },
                },
                {
                  key: "list",
                  value: {
                    arrayValue: {
                      values: [
                        {
                          stringValue: "a",
                        },
                        {
                          stringValue: "b",
                        },
                      ],
                    },
                  },
                },
                {
                  key: "ratio",
                  value: {
                    doubleValue: 0.5,
                  },
                },
                {
                  key: "flag",
                  value: {
                    boolValue: true,
                  },
                },
                {
                  key: "negative",
                  value: {
                    intValue: -3,
                  },
                },
              ],
              droppedAttributesCount: 0,
              events: [],
              droppedEventsCount: 0,
              status: {
                code: 2,
                message: "no network",
              },
              links: [],
              droppedLinksCount: 0,
              flags: 257,
            },
            {
              traceId: "61f3d674d41c4eb5e180dca80cd16872",
              spanId: "b487b3a5ef2b80ce",
              name: "GET /",
              kind: 1,
              startTimeUnixNano: "1794787318763000000",
              endTimeUnixNano: "1794787318763000000",
              attributes: [],
              droppedAttributesCount: 0,
              events: [],
              droppedEventsCount: 0,
              status: {
                code: 0,
              },
              links: [],
              droppedLinksCount: 0,
              flags: 257,
            },
          ],
        },
      ],
    },
  ],
};
