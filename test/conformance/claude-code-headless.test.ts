/** The headless transport against the real Claude Code, offline. */
import { describeClaude } from "./kit/claude-code.contract.ts";
import { findClaudeCode } from "./kit/peer.ts";

describeClaude("headless", findClaudeCode());
