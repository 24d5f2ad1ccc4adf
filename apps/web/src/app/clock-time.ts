/** The time of day in the page's language. Making a formatter is slow, so there is one for all rows of a list. */
import { useMemo } from "react";
import { useAppearance } from "./app.ts";

export function useClockTime(): (at: number) => string {
  const { language } = useAppearance();
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(language, { timeStyle: "medium" });
    return (at: number) => format.format(at);
  }, [language]);
}
