/** What the browser says about its person, where they have not chosen: darkness, motion, language. */
import type { Preferences } from "./preferences.ts";

export interface Appearance {
  readonly isNight: boolean;
  readonly isMotionReduced: boolean;
  readonly language: "en" | "de";
}

export interface BrowserConditions {
  readonly prefersDark: boolean;
  readonly prefersReducedMotion: boolean;
  readonly languages: readonly string[];
}

export function resolveAppearance(preferences: Preferences, around: BrowserConditions): Appearance {
  const { theme, motion, language } = preferences;
  return {
    isNight: theme === "auto" ? around.prefersDark : theme === "night",
    isMotionReduced: motion === "reduced" || around.prefersReducedMotion,
    language: language === "auto" ? spoken(around.languages) : language,
  };
}

/** The first of the browser's languages that we speak. */
function spoken(languages: readonly string[]): Appearance["language"] {
  for (const tag of languages) {
    const [language] = tag.toLowerCase().split("-");
    if (language === "en" || language === "de") return language;
  }
  return "en";
}
