/** With what the session of an agent that works is taken into a terminal, while that is possible. */
import type { ReactNode } from "react";
import { useOffice, useTexts } from "../../../app/app.ts";
import { CopyBlock } from "../../../ui/copy-block.tsx";

interface AttachCommandProps {
  readonly agentId: string;
  /** Only while it works on that. */
  readonly taskId?: string;
}

export function AttachCommand({ agentId, taskId }: AttachCommandProps): ReactNode {
  const {
    joined: { attach: words },
  } = useTexts();
  const target = useOffice(
    ({ snapshot }) => snapshot?.agents.find(({ agent_id }) => agent_id === agentId)?.attach,
  );
  if (target === undefined || (taskId !== undefined && target !== taskId)) return null;
  return (
    <section className="stack is-tight">
      <h4>{words.title}</h4>
      <CopyBlock label={words.title} text={`atrium attach ${target}`} />
      <p className="hint">{words.text}</p>
    </section>
  );
}
