/**
 * What an endpoint answers with that has written to the response by itself. Endpoints run once somebody has asked, and by
 * then it is loaded (listen/answer-later.ts).
 */
export async function alreadySent(): Promise<Response> {
  const { RESPONSE_ALREADY_SENT } = await import("@hono/node-server/utils/response");
  return RESPONSE_ALREADY_SENT;
}
