/** What a turn of Codex is given. */
export type CodexInput =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly url: string };

export function textInput(text: string): CodexInput {
  return { type: "text", text };
}
