/**
 * Every word the client says, once per language. A message is a text, or a function of what it speaks about; the
 * compiler sees to it that no language lacks one.
 */
import { agentWords as englishAgents } from "./english/agents.ts";
import { broughtWords as englishBrought } from "./english/brought.ts";
import { buildWords as englishBuilds } from "./english/builds.ts";
import { chatWords as englishChat } from "./english/chat.ts";
import { codeWords as englishCode } from "./english/code.ts";
import { firstWords as englishFirst } from "./english/first-minute.ts";
import { joinedWords as englishJoined } from "./english/joined.ts";
import { officeWords as englishOffice } from "./english/office.ts";
import { permissionWords as englishPermission } from "./english/permission.ts";
import { planWords as englishPlan } from "./english/plan.ts";
import { reviewWords as englishReview } from "./english/review.ts";
import { settingsEditorWords as englishSettingsEditor } from "./english/settings-editor.ts";
import { settingsWords as englishSettings } from "./english/settings.ts";
import { sharedWords as englishShared } from "./english/shared.ts";
import { shellWords as englishShell } from "./english/shell.ts";
import { signalWords as englishSignals } from "./english/signals.ts";
import { workWords as englishWork } from "./english/work.ts";
import { workshopWords as englishWorkshop } from "./english/workshop.ts";
import { agentWords as germanAgents } from "./german/agents.ts";
import { broughtWords as germanBrought } from "./german/brought.ts";
import { buildWords as germanBuilds } from "./german/builds.ts";
import { chatWords as germanChat } from "./german/chat.ts";
import { codeWords as germanCode } from "./german/code.ts";
import { firstWords as germanFirst } from "./german/first-minute.ts";
import { joinedWords as germanJoined } from "./german/joined.ts";
import { officeWords as germanOffice } from "./german/office.ts";
import { permissionWords as germanPermission } from "./german/permission.ts";
import { planWords as germanPlan } from "./german/plan.ts";
import { reviewWords as germanReview } from "./german/review.ts";
import { settingsEditorWords as germanSettingsEditor } from "./german/settings-editor.ts";
import { settingsWords as germanSettings } from "./german/settings.ts";
import { sharedWords as germanShared } from "./german/shared.ts";
import { shellWords as germanShell } from "./german/shell.ts";
import { signalWords as germanSignals } from "./german/signals.ts";
import { workWords as germanWork } from "./german/work.ts";
import { workshopWords as germanWorkshop } from "./german/workshop.ts";

const english = {
  ...englishShared,
  ...englishShell,
  ...englishOffice,
  agents: englishAgents,
  brought: englishBrought,
  builds: { ...englishShared, ...englishBuilds },
  chat: { ...englishShared, ...englishChat },
  code: englishCode,
  first: { ...englishShared, ...englishFirst },
  joined: englishJoined,
  permission: { ...englishShared, ...englishPermission },
  review: englishReview,
  plan: englishPlan,
  signals: { ...englishShared, ...englishSignals },
  settings: { ...englishShared, ...englishSettings },
  settingsEditor: englishSettingsEditor,
  work: englishWork,
  workshop: { ...englishShared, ...englishWorkshop },
};
export type Texts = typeof english;
const german: Texts = {
  ...germanShared,
  ...germanShell,
  ...germanOffice,
  agents: germanAgents,
  brought: germanBrought,
  builds: { ...germanShared, ...germanBuilds },
  chat: { ...germanShared, ...germanChat },
  code: germanCode,
  first: { ...germanShared, ...germanFirst },
  joined: germanJoined,
  permission: { ...germanShared, ...germanPermission },
  review: germanReview,
  plan: germanPlan,
  signals: { ...germanShared, ...germanSignals },
  settings: { ...germanShared, ...germanSettings },
  settingsEditor: germanSettingsEditor,
  work: germanWork,
  workshop: { ...germanShared, ...germanWorkshop },
};

export function textsOf(language: "en" | "de"): Texts {
  return language === "de" ? german : english;
}
