/** What several parts of the server are given; compose.ts makes each once. */
import type { AuthAttempts } from "../access/auth-attempts.ts";
import type { Fanout } from "../fanout/fanout.ts";
import type { LiveSessions } from "../joined/live-sessions.ts";
import type { SubmitRequest } from "../projects/work/submit-request.ts";
import type { RepositoryCatalog } from "../repositories/repository-catalog.ts";
import type { AgentPolicyOf } from "../runs/agent-policy.ts";
import type { RunDirector } from "../runs/run-director.ts";
import type { OpenToolbox } from "../tools/toolbox.ts";
import type { LiveChecks } from "../workshop/checks/live-checks.ts";
import type { AnchorRemarks } from "../workshop/comments/anchor-remarks.ts";
import type { DeliverProject } from "../workshop/landing/deliver-project.ts";
import type { ApplySuggestions } from "../workshop/suggestions/apply-suggestions.ts";
import type { WorkspaceCommands } from "../workshop/workspace-commands.ts";
import type { ServerAuth } from "./access.ts";
import type { People } from "./human-input.ts";
import type { Turns } from "./runs.ts";
import type { State } from "./state.ts";

export interface Shared extends Turns {
  readonly state: State;
  readonly people: People;
  /** The shared token; null when none is needed. */
  readonly token: string | null;
  /** A wrong token costs a try, whichever way it came in. */
  readonly attempts: AuthAttempts;
  readonly auth: ServerAuth;
  readonly fanout: Fanout;
  readonly toolbox: OpenToolbox;
  readonly policyOf: AgentPolicyOf;
  readonly director: RunDirector;
  readonly repositories: RepositoryCatalog;
  readonly workspaceCommands: WorkspaceCommands;
  readonly anchorRemarks: AnchorRemarks;
  readonly liveChecks: LiveChecks;
  readonly applySuggestions: ApplySuggestions;
  readonly deliverProject: DeliverProject;
  readonly submitRequest: SubmitRequest;
  readonly liveSessions: LiveSessions;
}
