/** Settings of a crew of two: a front desk that rehearses, and a writer that is a small program. */
export function programCrew(name: string, program: string): unknown {
  return {
    runtimes: {
      pretend: { type: "rehearsal", pace: 0 },
      program: { type: "command", command: [process.execPath, "-e", program] },
    },
    agents: [
      { id: "agent_bd", name: "BD", role: "front desk", runtime: "pretend" },
      { id: `agent_${name.toLowerCase()}`, name, role: "writer", runtime: "program" },
    ],
  };
}
