/**
 * A runtime whose agents have skills. They are read anew with every turn, and handed on in one of three ways:
 *
 *   own     the runtime does it, in the way its program has for skills
 *   tool    the agent is told their names and what they are for, and reads one with a tool when it needs it
 *   files   the same, but it reads them itself, where they are
 */
import { delimiter } from "node:path";
import type { AgentRuntime, Skill, Turn, TurnHost } from "../turn/agent-runtime.ts";
import { readSkills, SKILL_FILE } from "./read-skills.ts";
import { callReadSkill, READ_SKILL } from "./skill-tool.ts";

export type SkillRoute = "own" | "tool" | "files";

/** Has the folders of all skills, for programs. */
const SKILLS_VARIABLE = "ATRIUM_SKILLS";

export function withSkills(
  runtime: AgentRuntime,
  paths: readonly string[],
  route: SkillRoute,
): AgentRuntime {
  return {
    ...runtime,
    async *start(turn, host) {
      const { skills, problems } = readSkills(paths);
      if (!host.signal.aborted) {
        for (const problem of problems) {
          yield { type: "text", delta: `A skill is left out: ${problem}.\n\n` };
        }
      }
      yield* runtime.start(turnWith(turn, skills, route), hostWith(host, skills, route));
    },
  };
}

function turnWith(turn: Turn, skills: readonly Skill[], route: SkillRoute): Turn {
  if (skills.length === 0) return turn;
  if (route === "own") return { ...turn, skills };
  const folders = skills.map(({ folder }) => folder).join(delimiter);
  return {
    ...turn,
    skills,
    instructions: [turn.instructions, describeSkills(skills, route)].join("\n\n"),
    env: { ...turn.env, [SKILLS_VARIABLE]: folders },
  };
}

/** No more than what is needed to choose one: the rest is read when it is. */
function describeSkills(skills: readonly Skill[], route: SkillRoute): string {
  const how =
    route === "tool"
      ? `read it with the tool ${READ_SKILL.name}`
      : `read the file ${SKILL_FILE} in its folder`;
  return [
    `You have skills: instructions for certain work. Before you do what one of them is for, ${how} and follow it.`,
    ...skills.map(({ name, description, folder }) => `- ${name} (${folder}): ${description}`),
  ].join("\n");
}

function hostWith(host: TurnHost, skills: readonly Skill[], route: SkillRoute): TurnHost {
  if (route !== "tool" || skills.length === 0) return host;
  return {
    ...host,
    tools: [...host.tools, READ_SKILL],
    callTool: (name, input, signal, callId) =>
      name === READ_SKILL.name
        ? callReadSkill(skills, input)
        : host.callTool(name, input, signal, callId),
  };
}
