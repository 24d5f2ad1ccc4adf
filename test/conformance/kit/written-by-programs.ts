/** What each program writes into its own folder while it runs, and keeps there, whether it has joined or not. */
import type { WrittenByProgram } from "./folder-files.ts";

export const WRITTEN_BY_CLAUDE_CODE: WrittenByProgram = {
  ".claude.json": "how often it was started, what it knows of each project",
  "backups/": "copies of that",
  "history.jsonl": "what was typed",
  "projects/": "transcripts",
  "session-env/": "variables of each session",
  "sessions/": "the list of running ones",
  "shell-snapshots/": "the user's shell, read once",
};

export const WRITTEN_BY_CODEX: WrittenByProgram = {
  ".sandbox_migration": "the version of its sandbox's state",
  ".sqlite-maintenance.lock": "locks, empty",
  ".tmp/": "locks, and what it downloads",
  "app-server-control/": "its daemon's socket",
  "app-server-daemon/": "its daemon",
  "goals_1.sqlite": "its state",
  "history.jsonl": "what was typed",
  installation_id: "made at the first start",
  "logs_2.sqlite": "its log",
  "memories_1.sqlite": "its state",
  "models_cache.json": "its state",
  "packages/": "its daemon's program",
  "queue_1.sqlite": "its state",
  "sessions/": "transcripts",
  "shell_snapshots/": "the user's shell, read once",
  "skills/.system/": "skills that it brings",
  "state_5.sqlite": "its state",
  "thread-writer-locks/": "locks, empty",
  "thread_history_1.sqlite": "its state",
  "tui-thread-reference-capabilities/": "its state",
};

export const WRITTEN_BY_COPILOT: WrittenByProgram = {
  "command-history-state.json": "what was typed",
  "config.json": "when it was first started, and the folders that are trusted",
  "installed-plugins.lock": "locks, empty",
  "logs/": "its log",
  "open-sessions-state.json": "the list of running sessions",
  "session-state/": "transcripts",
  "session-store.db": "its state",
  "settings.json.lock": "locks, empty",
  "sidebar-sessions-state/": "its state",
};

export const WRITTEN_BY_QWEN: WrittenByProgram = {
  "extension-store/lock": "locks, empty",
  installation_id: "made at the first start",
  "memories/": "what it remembers of its user",
  "output-language.md": "made at the first start",
  "projects/": "transcripts",
  "sessions/": "the list of running ones",
  "tip_history.json": "which tips were shown",
  "tmp/": "what was typed",
  usage: "tokens",
};

export const WRITTEN_BY_GEMINI: WrittenByProgram = {
  "history/": "its copies of files",
  installation_id: "made at the first start",
  "projects.json": "the names of project folders",
  "state.json": "which tips were shown",
  "tmp/": "transcripts",
};

export const WRITTEN_BY_OPENCODE: WrittenByProgram = {
  ".gitignore": "for the packages that it installs",
};
