/** Which browsers are signed in: to be let in, named, and put out one by one; and the way out for this one. */
import type { CallResult, GatewayClient } from "@atrium/client";
import { useCallback, useEffect, useState, type ReactNode } from "react";
import { useAppearance, useApp, useTexts } from "../../app/app.ts";
import { messageOf } from "../../app/feedback/error-text.ts";
import { createFetchJson } from "../../app/server/fetch-json.ts";
import { fetchOwn, pageSecret } from "../../app/server/own-server.ts";
import { useGateway } from "../../app/use-gateway.ts";
import { Button } from "../../ui/controls.tsx";

type Login = CallResult<"logins.list">["logins"][number];

const LOOK_MS = 4_000;
/** As the page that waits shows it. */
const SHORT_ID = 12;

export function BrowserLogins(): ReactNode {
  const words = useTexts().settings;
  const { client } = useGateway();
  const { notices } = useApp();
  const [logins, setLogins] = useState<readonly Login[]>();
  const look = useCallback(async (): Promise<void> => {
    if (client === undefined) return;
    setLogins((await client.call("logins.list", {})).logins);
  }, [client]);
  useEffect(() => {
    // What cannot be read is not there: the banner says that the server is gone.
    const tryLook = (): void => void look().catch(() => undefined);
    tryLook();
    // Whoever waits to be let in comes while one looks.
    const looking = setInterval(tryLook, LOOK_MS);
    return () => clearInterval(looking);
  }, [look]);
  const act = async (deed: (line: GatewayClient) => Promise<unknown>): Promise<void> => {
    if (client === undefined) return;
    try {
      await deed(client);
      await look();
    } catch (cause) {
      notices.say(messageOf(cause), "refused");
    }
  };
  if (logins === undefined) return null;
  return (
    <section className="settings-card">
      <h2>{words.loginsTitle}</h2>
      <p className="hint">{logins.length === 0 ? words.loginsNone : words.loginsText}</p>
      <ul className="plain-list">
        {logins
          .filter(({ isWaiting }) => isWaiting)
          .map((login) => (
            <WaitingRow
              key={login.id}
              login={login}
              onApprove={() => void act((line) => line.call("logins.approve", { id: login.id }))}
              onReject={() => void act((line) => line.call("logins.revoke", { id: login.id }))}
            />
          ))}
        {logins
          .filter(({ isWaiting }) => !isWaiting)
          .map((login) => (
            <LoginRow
              key={login.id}
              login={login}
              onRename={(name) =>
                void act((line) => line.call("logins.rename", { id: login.id, name }))
              }
              onRevoke={() =>
                void (login.isCurrent
                  ? signOut()
                  : act((line) => line.call("logins.revoke", { id: login.id })))
              }
            />
          ))}
      </ul>
    </section>
  );
}

interface WaitingRowProps {
  readonly login: Login;
  readonly onApprove: () => void;
  readonly onReject: () => void;
}

function WaitingRow({ login, onApprove, onReject }: WaitingRowProps): ReactNode {
  const words = useTexts().settings;
  const { language } = useAppearance();
  const { id, name, address, createdAtMs, userAgent } = login;
  const since = new Date(createdAtMs).toLocaleString(language);
  return (
    <li className="settings-login">
      <span className="stack is-tight">
        <strong>{name}</strong>
        <small className="hint" title={userAgent}>
          {words.loginWaits(address, since, id.slice(0, SHORT_ID))}
        </small>
      </span>
      <span className="row">
        <Button look="small primary" onClick={onApprove}>
          {words.loginApprove}
          <span className="visually-hidden"> {name}</span>
        </Button>
        <Button look="small" onClick={onReject}>
          {words.loginReject}
          <span className="visually-hidden"> {name}</span>
        </Button>
      </span>
    </li>
  );
}

interface LoginRowProps {
  readonly login: Login;
  readonly onRename: (name: string) => void;
  readonly onRevoke: () => void;
}

function LoginRow({ login, onRename, onRevoke }: LoginRowProps): ReactNode {
  const words = useTexts().settings;
  const { language } = useAppearance();
  const { name, address, createdAtMs, lastSeenAtMs, isCurrent, userAgent } = login;
  const [typed, setTyped] = useState(name);
  const timeOf = (at: number): string => new Date(at).toLocaleString(language);
  return (
    <li className="settings-login">
      <span className="stack is-tight">
        <label className="field">
          <span className="visually-hidden">{words.loginName(name)}</span>
          <input
            value={typed}
            maxLength={80}
            onChange={(event) => setTyped(event.target.value)}
            onBlur={() => {
              if (typed.trim() === "") setTyped(name);
              else if (typed.trim() !== name) onRename(typed.trim());
            }}
          />
        </label>
        <small className="hint" title={userAgent}>
          {words.loginAbout(address, timeOf(createdAtMs), timeOf(lastSeenAtMs))}
        </small>
        {isCurrent && <small>{words.loginThis}</small>}
      </span>
      <Button look="small" onClick={onRevoke}>
        {isCurrent ? words.loginRevoke : words.loginRevoke}
        <span className="visually-hidden"> {name}</span>
      </Button>
    </li>
  );
}

async function signOut(): Promise<void> {
  await createFetchJson(fetchOwn)("POST", "/api/logout");
  pageSecret.keep(null);
  location.reload();
}
