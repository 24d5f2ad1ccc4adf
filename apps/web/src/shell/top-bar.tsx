import type { ReactNode } from "react";
import { useAppearance, useApp, useRoute, useTexts } from "../app/app.ts";
import { PAGE_NAMES, PAGE_PATHS } from "../app/route.ts";
import { IconButton } from "../ui/controls.tsx";
import { Link } from "../ui/link.tsx";

export function TopBar(): ReactNode {
  const words = useTexts();
  const { page } = useRoute();
  const { preferences } = useApp();
  const { isNight, language } = useAppearance();
  return (
    <header className="top-bar">
      <Link to="/" className="brand">
        <span className="brand-mark" aria-hidden="true" />
        Atrium
      </Link>
      <nav aria-label={words.pagesLabel} className="top-nav">
        {PAGE_NAMES.map((name) => (
          <Link key={name} to={PAGE_PATHS[name]} isCurrent={name === page} className="top-link">
            {words.pageNames[name]}
          </Link>
        ))}
      </nav>
      <div className="top-tools">
        <IconButton
          label={isNight ? words.makeDay : words.makeNight}
          title={isNight ? words.makeDay : words.makeNight}
          onClick={() => preferences.setState({ theme: isNight ? "day" : "night" })}
        >
          <span aria-hidden="true">{isNight ? "☀" : "☾"}</span>
        </IconButton>
        <IconButton
          lang={language === "en" ? "de" : "en"}
          label={words.otherLanguage}
          onClick={() => preferences.setState({ language: language === "en" ? "de" : "en" })}
        >
          {language === "en" ? "DE" : "EN"}
        </IconButton>
      </div>
    </header>
  );
}
