/** What one sees without a way in: why, and how to get one. */
import { useState, type SubmitEvent, type ReactNode } from "react";
import { useAppearanceFrom } from "../app/app.ts";
import type { PreferencesStore } from "../app/preferences.ts";
import type { Admission } from "../app/server/sign-in.ts";
import { textsOf, type Texts } from "../i18n/texts.ts";
import { Button, Field } from "../ui/controls.tsx";

/** As `atrium logins` shows it. */
const SHORT_ID = 12;

export interface LoginPageProps {
  readonly admission: Exclude<Admission, { type: "in" }>;
  readonly preferences: PreferencesStore;
  readonly onToken: (token: string) => void;
}

export function LoginPage({ admission, preferences, onToken }: LoginPageProps): ReactNode {
  const words = textsOf(useAppearanceFrom(preferences).language);
  const [token, setToken] = useState("");
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onToken(readPasted(token));
  };
  if (admission.type === "waiting") return <Waiting loginId={admission.loginId} words={words} />;
  const [title, text] = TEXTS[admission.type];
  return (
    <main className="login-page">
      <form className="login-card" onSubmit={submit}>
        <span className="brand-mark is-large" aria-hidden="true" />
        <h1>{words[title]}</h1>
        <p role={admission.type === "no-token" ? undefined : "alert"}>{words[text]}</p>
        <p className="login-hint">
          {words.loginHint} <code>npm start</code>
        </p>
        <Field label={words.loginField}>
          <input
            type="password"
            autoComplete="current-password"
            value={token}
            onChange={(event) => setToken(event.target.value)}
          />
        </Field>
        <Button type="submit" look="primary" disabled={token.trim() === ""}>
          {words.loginButton}
        </Button>
      </form>
    </main>
  );
}

/** Nothing to be done here: it goes on by itself once someone has let it in. */
function Waiting({ loginId, words }: { loginId: string; words: Texts }): ReactNode {
  return (
    <main className="login-page">
      <section className="login-card">
        <span className="brand-mark is-large" aria-hidden="true" />
        <h1>{words.waitingTitle}</h1>
        <p role="status">{words.waitingText}</p>
        <p className="login-hint">
          {words.waitingHint} <code>atrium logins approve {loginId.slice(0, SHORT_ID)}</code>
        </p>
      </section>
    </main>
  );
}

/** People paste the whole link as often as the token in it. */
function readPasted(text: string): string {
  const [, token] = /#token=([^&\s]+)/.exec(text) ?? [];
  return token === undefined ? text.trim() : decodeURIComponent(token);
}

const TEXTS = {
  "no-token": ["loginTitle", "loginText"],
  outdated: ["signInAgainTitle", "signInAgainText"],
  rejected: ["turnedAwayTitle", "turnedAwayText"],
  crowded: ["loginsCrowdedTitle", "loginsCrowdedText"],
  "wrong-token": ["wrongTokenTitle", "wrongTokenText"],
  "too-many-tries": ["wrongTokenTitle", "tooManyTriesText"],
  "no-answer": ["noAnswerTitle", "noAnswerText"],
} as const;
