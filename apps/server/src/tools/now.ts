import type { Clock } from "@atrium/core";
import { Type } from "@atrium/schema";
import { defineTool, objection, textResult } from "./define-tool.ts";
import type { Tool } from "./toolbox.ts";

export function nowTool({ clock }: { readonly clock: Clock }): Tool {
  return defineTool({
    name: "now",
    description:
      "Returns the date and time in UTC and, if you name a time zone, the local time there.",
    input: {
      timeZone: Type.Optional(
        Type.String({ minLength: 1, maxLength: 64, description: "IANA name: Europe/Helsinki" }),
      ),
    },
    call({ timeZone }) {
      const date = new Date(clock.now());
      const utc = date.toISOString();
      if (timeZone === undefined) return textResult({ utc });
      try {
        const local = new Intl.DateTimeFormat("en-GB", {
          timeZone,
          dateStyle: "full",
          timeStyle: "long",
        }).format(date);
        return textResult({ utc, timeZone, local });
      } catch {
        // Intl throws for a zone it does not know, and there is no other way to ask.
        return objection(
          `There is no time zone ${timeZone}; use an IANA name like Europe/Helsinki.`,
        );
      }
    },
  });
}
