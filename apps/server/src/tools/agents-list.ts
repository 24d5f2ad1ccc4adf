import type { CrewMember } from "@atrium/core";
import { defineTool, textResult } from "./define-tool.ts";
import type { Tool } from "./toolbox.ts";

export interface AgentsListDeps {
  readonly crew: readonly CrewMember[];
  readonly modelOf: (handle: string) => { readonly provider: string; readonly id: string };
}

export function agentsListTool({ crew, modelOf }: AgentsListDeps): Tool {
  return defineTool({
    name: "agents_list",
    description: "Lists the agents here: id, name, role, model and main conversation of each.",
    input: {},
    call() {
      const agents = crew.map(({ handle, name, role }) => {
        const { provider, id } = modelOf(handle);
        return {
          id: handle,
          name,
          role,
          model: `${provider}/${id}`,
          mainKey: `agent:${handle}:main`,
        };
      });
      return textResult({ agents });
    },
  });
}
