/**
 * The crew: who works here. An agent's handle is what conversation keys and the gateway call it.
 */
export interface CrewMember {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly role: string;
}

export const BUILT_IN_CREW: readonly CrewMember[] = [
  { id: "agent_bd", handle: "main", name: "BD", role: "front desk" },
  { id: "agent_research_1", handle: "research_1", name: "Research 1", role: "researcher" },
  { id: "agent_eng_1", handle: "eng_1", name: "Eng 1", role: "engineer" },
  { id: "agent_eng_2", handle: "eng_2", name: "Eng 2", role: "engineer" },
  { id: "agent_design_1", handle: "design_1", name: "Design 1", role: "designer" },
  { id: "agent_writer_1", handle: "writer_1", name: "Writer 1", role: "writer" },
];

/** Whom a message reaches when it names no one. */
export const DEFAULT_HANDLE = "main";
