/** What an agent from outside is called in the office: any name it has, as an id that fits the protocol's pattern. */
const MAX_CHARS = 40;

export function visitorIdOf(agentId: string): string {
  const slug = agentId
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .slice(0, MAX_CHARS)
    .replaceAll(/^_+|_+$/g, "");
  return `agent_visitor_${slug === "" ? "someone" : slug}`;
}
