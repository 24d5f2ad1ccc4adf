/** What people may decide when no plan could be made. */
export const PLAN_CHOICES = {
  again: "Try again",
  asOne: "Make it one task",
  drop: "Drop it",
} as const;
