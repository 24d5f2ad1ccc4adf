/** The frame around every page: where one may go, whether there is a connection, and what was just said. */
import { Suspense, useEffect, type ReactNode } from "react";
import { useAppearance, useRoute, useTexts } from "../app/app.ts";
import { Chime } from "../ui/chime.tsx";
import { Link } from "../ui/link.tsx";
import { ConnectionBanner } from "./connection-banner.tsx";
import { NoticeList } from "./notice-list.tsx";
import { PAGES } from "./pages.ts";
import { TopBar } from "./top-bar.tsx";

export function Shell(): ReactNode {
  const { page } = useRoute();
  const { isNight, isMotionReduced, language } = useAppearance();
  const words = useTexts();
  useEffect(() => {
    const { documentElement } = document;
    documentElement.dataset["theme"] = isNight ? "night" : "day";
    documentElement.dataset["motion"] = isMotionReduced ? "reduced" : "full";
    documentElement.lang = language;
  }, [isNight, isMotionReduced, language]);
  useEffect(() => {
    document.title = page === undefined ? "Atrium" : `${words.pageNames[page]} · Atrium`;
  }, [page, words]);
  const Page = page === undefined ? undefined : PAGES[page];
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        {words.skipToContent}
      </a>
      <TopBar />
      <ConnectionBanner />
      <main id="content" className="shell-content" tabIndex={-1}>
        {Page === undefined ? (
          <div className="plain-page">
            <h1>{words.notFoundTitle}</h1>
            <p>{words.notFoundText}</p>
            <p>
              <Link to="/" className="button is-primary">
                {words.notFoundHome}
              </Link>
            </p>
          </div>
        ) : (
          <Suspense fallback={<p className="loading">{words.loading}</p>}>
            <Page />
          </Suspense>
        )}
      </main>
      <NoticeList />
      <Chime />
    </div>
  );
}
