/** The settings that send Claude Code's hooks to us: https://code.claude.com/docs/en/hooks */
const EVENTS = [
  "UserPromptSubmit",
  "MessageDisplay",
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "PostToolUseFailure",
  "Stop",
  "StopFailure",
];
/** The longest a person may take to answer; afterwards only the terminal can. */
const TIMEOUT_SECONDS = 24 * 60 * 60;

export function hookSettings(url: string): object {
  const hook = { type: "http", url, timeout: TIMEOUT_SECONDS };
  return { hooks: Object.fromEntries(EVENTS.map((event) => [event, [{ hooks: [hook] }]])) };
}
