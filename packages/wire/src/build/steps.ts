/** The seven steps every build goes through, as people read them. The one place that says so. */
export const BUILD_STEPS = [
  {
    id: "build_record",
    title: "Starting your build",
    description: "I’m setting up your build session.",
  },
  {
    id: "parse",
    title: "Understanding your request",
    description: "I’m reading your request and mapping the plan.",
  },
  {
    id: "research",
    title: "Gathering what we need",
    description: "I’m collecting the tools and references for your build.",
  },
  {
    id: "design",
    title: "Planning your agent",
    description: "I’m creating the build plan for your agent.",
  },
  {
    id: "assemble",
    title: "Building your agent",
    description: "I’m assembling the pieces now.",
  },
  {
    id: "validate",
    title: "Testing everything",
    description: "I’m running checks to make sure everything works.",
  },
  {
    id: "finalize",
    title: "Finalizing",
    description: "I’m wrapping up and preparing your result.",
  },
] as const;

export type BuildStepId = (typeof BUILD_STEPS)[number]["id"];
