import type { EventDeclarations } from "../engine/codec.ts";
import type { QuestionEvent } from "./question.ts";

export const QUESTION_EVENTS: EventDeclarations<QuestionEvent> = {
  "question.asked": {
    version: 1,
    shape: { id: "string", items: "array", source: "object", expiresAt: "number" },
  },
  "question.answered": { version: 1, shape: { answers: "object", by: "object" } },
  "question.withdrawn": { version: 1, shape: { by: "object" } },
  "question.expired": { version: 1, shape: { why: "string" } },
};
