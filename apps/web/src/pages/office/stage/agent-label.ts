/** The label over a head, in the page's language. */
import type { WorldTask } from "@atrium/wire/world";
import type { Texts } from "../../../i18n/texts.ts";
import type { Label } from "../../../office/labels/labels.ts";
import { createPlainLabel } from "../../../office/labels/plain-label.ts";
import { whatItDoes } from "../text/agent-text.ts";

export function createAgentLabel(
  agentId: string,
  now: () => { readonly words: Texts; readonly tasks: readonly WorldTask[] },
  onPress: (agentId: string) => void,
): Label {
  return createPlainLabel(
    agentId,
    (figure) => {
      const { words, tasks } = now();
      return whatItDoes(figure, tasks, words);
    },
    onPress,
  );
}
