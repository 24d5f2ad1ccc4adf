import { v1, type EventDeclarations } from "../engine/codec.ts";
import type { QuestionEvent } from "./question.ts";

export const QUESTION_EVENTS: EventDeclarations<QuestionEvent> = {
  "question.asked": v1({ id: "string", items: "array", source: "object", expiresAt: "number" }),
  "question.answered": v1({ answers: "object", by: "object" }),
  "question.withdrawn": v1({ by: "object" }),
  "question.expired": v1({ why: "string" }),
};
