import {
  accept,
  DEFAULT_HANDLE,
  refuse,
  resolveKey,
  type CrewMember,
  type Outcome,
} from "@atrium/core";
import {
  agentIdentityGet,
  agentsList,
  commandsList,
  modelsList,
  toolsCatalog,
} from "@atrium/wire/gateway";
import type { SlashCommand } from "../../../runs/slash-commands.ts";
import { serve, type GatewayMethod } from "../frames/peer.ts";

/** A member of the crew, with its model. */
export interface EquippedMember extends CrewMember {
  readonly model: {
    readonly provider: string;
    readonly id: string;
    readonly contextTokens: number;
  };
}

export interface CrewDeps {
  /** As of now. */
  readonly crew: () => readonly EquippedMember[];
  readonly commands: readonly SlashCommand[];
  /** The tools that an agent has now. */
  readonly toolsOf: (
    agentId: string,
  ) => readonly { readonly name: string; readonly description: string }[];
}

export function crewMethods({ crew, commands, toolsOf }: CrewDeps): readonly GatewayMethod[] {
  const find = (handle: string): Outcome<EquippedMember> => {
    const member = crew().find((each) => each.handle === handle);
    return member === undefined ? refuse("agent.unknown", handle) : accept(member);
  };
  return [
    serve(agentsList, () =>
      accept({
        defaultId: DEFAULT_HANDLE,
        ownership: "sole",
        selectionRequired: false,
        mainKey: "main",
        scope: "per-sender",
        agents: crew().map(({ handle, name, role, model }) => ({
          id: handle,
          name,
          identity: { name, theme: role },
          model: { primary: `${model.provider}/${model.id}` },
        })),
      }),
    ),

    serve(agentIdentityGet, ({ agentId, sessionKey }) => {
      const key = resolveKey(crew(), sessionKey ?? "main", agentId);
      if (!key.ok) return key;
      const member = find(key.value.handle);
      if (!member.ok) return member;
      const { handle, name } = member.value;
      const avatar = name.slice(0, 1).toUpperCase();
      return accept({ agentId: handle, name, nameSource: "config", avatar });
    }),

    serve(modelsList, ({ agentId, provider: wanted }) => {
      const member = agentId === undefined ? accept(undefined) : find(agentId);
      if (!member.ok) return member;
      const equipped = member.value === undefined ? crew() : [member.value];
      const usual = crew().find(({ handle }) => handle === DEFAULT_HANDLE)?.model;
      const fitting = equipped.filter(({ model }) => (wanted ?? model.provider) === model.provider);
      const models = new Map(fitting.map(({ model }) => [`${model.provider}/${model.id}`, model]));
      return accept({
        models: [...models].map(([name, { provider, id, contextTokens }]) => ({
          id,
          name: id,
          provider,
          contextWindow: contextTokens,
          reasoning: false,
          available: true,
          ...(name === `${usual?.provider}/${usual?.id}` && { tags: ["default"] }),
        })),
      });
    }),

    serve(toolsCatalog, ({ agentId = DEFAULT_HANDLE }) => {
      const member = find(agentId);
      if (!member.ok) return member;
      const rows = toolsOf(member.value.id).map(({ name, description }) => ({
        id: name,
        label: name,
        description,
        source: "core" as const,
        defaultProfiles: ["full" as const],
      }));
      return accept({
        agentId: member.value.handle,
        profiles: [{ id: "full", label: "Full" }],
        groups:
          rows.length === 0 ? [] : [{ id: "atrium", label: "Atrium", source: "core", tools: rows }],
      });
    }),

    serve(commandsList, ({ scope = "both" }) =>
      accept({
        // All commands here are typed as text; none is native to a platform.
        commands: scope === "native" ? [] : commands.map(commandRow),
      }),
    ),
  ];
}

function commandRow({ name, description, aliases }: SlashCommand) {
  return {
    name,
    textAliases: [name, ...aliases].map((alias) => `/${alias}`),
    description,
    source: "native" as const,
    scope: "text" as const,
    acceptsArgs: false,
  };
}
