/** What of build sessions is served at the gateway's door, and the schemas that have a name of their own. */
import type { TSchema } from "@atrium/schema";
import type { Contract } from "../method.ts";
import {
  BuildAnswer,
  BuildEvent,
  BuildMessageCreated,
  BuildOption,
  BuildQuestion,
  BuildQuestionAnswered,
  BuildQuestionRequested,
  BuildQuestionsAnswered,
  BuildQuestionsRequested,
  BuildSessionCompleted,
  BuildSessionFailed,
  BuildSessionStarted,
  BuildStatusChanged,
  BuildStepCompleted,
  BuildStepStarted,
} from "./events.ts";
import {
  buildAnswer,
  buildCancel,
  buildDiagnosis,
  buildEvents,
  BuildFile,
  buildFiles,
  buildGet,
  buildList,
  BuildOddity,
  buildStart,
  BuildStepView,
  BuildView,
} from "./methods.ts";

export const BUILD_METHODS: readonly Contract[] = [
  buildStart,
  buildList,
  buildGet,
  buildFiles,
  buildEvents,
  buildAnswer,
  buildCancel,
  buildDiagnosis,
];

export const BUILD_MODELS: Readonly<Record<string, TSchema>> = {
  BuildOption,
  BuildQuestion,
  BuildAnswer,
  BuildQuestionAsked: BuildQuestionRequested.properties.payload,
  BuildQuestionsAsked: BuildQuestionsRequested.properties.payload,
  BuildSessionStarted,
  BuildMessageCreated,
  BuildStepStarted,
  BuildStepCompleted,
  BuildStatusChanged,
  BuildQuestionRequested,
  BuildQuestionsRequested,
  BuildQuestionAnswered,
  BuildQuestionsAnswered,
  BuildSessionCompleted,
  BuildSessionFailed,
  BuildSessionEvent: BuildEvent,
  BuildStepView,
  BuildView,
  BuildFile,
  BuildOddity,
};
