/** Dollars as a language writes them: cents, and as much more as it takes to see what is small. */
export function dollarsOf(dollars: number, language: string): string {
  const digits =
    dollars > 0 && dollars < 0.0001
      ? { maximumSignificantDigits: 2 }
      : { minimumFractionDigits: 2, maximumFractionDigits: dollars < 1 ? 4 : 2 };
  const form = new Intl.NumberFormat(language, { style: "currency", currency: "USD", ...digits });
  return form.format(dollars);
}
