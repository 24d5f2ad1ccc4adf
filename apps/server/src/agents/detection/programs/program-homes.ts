/**
 * Where each program keeps its login and settings, and what extends it: what one that is confined gets of its user's home.
 * Its sessions, logs and histories are of other work and are not among them.
 */
import type { ProgramHome } from "../../process/home/program-home.ts";

export const PROGRAM_HOMES = {
  opencode: [
    {
      variable: "XDG_CONFIG_HOME",
      folder: ".config",
      files: [
        "opencode/opencode.json",
        "opencode/opencode.jsonc",
        "opencode/config.json",
        "opencode/AGENTS.md",
        "opencode/package.json",
      ],
      folders: [
        "opencode/agent",
        "opencode/agents",
        "opencode/command",
        "opencode/commands",
        "opencode/mode",
        "opencode/modes",
        "opencode/node_modules",
        "opencode/plugin",
        "opencode/plugins",
        "opencode/skill",
        "opencode/skills",
        "opencode/tool",
        "opencode/tools",
      ],
    },
    {
      variable: "XDG_DATA_HOME",
      folder: ".local/share",
      files: ["opencode/auth.json", "opencode/mcp-auth.json"],
    },
  ],
  gemini: [
    {
      variable: "GEMINI_CLI_HOME",
      folder: "",
      files: [
        ".gemini/settings.json",
        ".gemini/.env",
        ".gemini/oauth_creds.json",
        ".gemini/google_accounts.json",
        ".gemini/mcp-oauth-tokens.json",
        ".gemini/installation_id",
        ".gemini/GEMINI.md",
      ],
      folders: [".gemini/agents", ".gemini/commands", ".gemini/extensions", ".gemini/skills"],
    },
  ],
  qwen: [
    {
      variable: "QWEN_HOME",
      folder: ".qwen",
      files: [
        "settings.json",
        ".env",
        "oauth_creds.json",
        "mcp-oauth-tokens.json",
        "mcp-oauth-tokens-v2.json",
        "installation_id",
        "output-language.md",
        "QWEN.md",
      ],
      folders: ["agents", "commands", "extensions", "skills"],
    },
  ],
  copilot: [
    {
      variable: "COPILOT_HOME",
      folder: ".copilot",
      files: ["config.json", "settings.json", "mcp-config.json", "copilot-instructions.md"],
      folders: ["agents", "installed-plugins", "skills"],
    },
  ],
  codex: [
    {
      variable: "CODEX_HOME",
      folder: ".codex",
      files: [
        "config.toml",
        "auth.json",
        ".credentials.json",
        "AGENTS.md",
        "AGENTS.override.md",
        "models_cache.json",
      ],
      folders: ["prompts", "rules", "skills"],
    },
  ],
  cline: [
    {
      variable: "CLINE_DIR",
      folder: ".cline",
      files: [
        "data/settings/providers.json",
        "data/settings/cline_mcp_settings.json",
        "data/settings/global-settings.json",
        "data/settings/models.json",
        "data/globalState.json",
        "data/secrets.json",
      ],
      folders: ["skills", "data/skills"],
    },
  ],
} as const satisfies Readonly<Record<string, ProgramHome>>;
