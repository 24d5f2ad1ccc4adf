/** Which browsers are signed in: to be named, and put out one by one; and the way out for this one. */
import type { CallResult, GatewayClient } from "@atrium/client";
import { useCallback, useEffect, useState, type ReactNode } from "react";
import { useGateway } from "../../gateway/use-gateway.ts";
import { createAskServer } from "../../shell/ask-server.ts";
import { useChosen, useHouse, useWords } from "../../shell/house.ts";
import { fetchOwn, pageSecret } from "../../shell/own-server.ts";

type Login = CallResult<"logins.list">["logins"][number];

export function BrowserLogins(): ReactNode {
  const words = useWords().settings;
  const { client } = useGateway();
  const { notices } = useHouse();
  const [logins, setLogins] = useState<readonly Login[]>();
  const look = useCallback(async (): Promise<void> => {
    if (client === undefined) return;
    setLogins((await client.call("logins.list", {})).logins);
  }, [client]);
  useEffect(() => {
    // What cannot be read is not there: the banner says that the server is gone.
    look().catch(() => undefined);
  }, [look]);
  const act = async (deed: (line: GatewayClient) => Promise<unknown>): Promise<void> => {
    if (client === undefined) return;
    try {
      await deed(client);
      await look();
    } catch (cause) {
      notices.say(cause instanceof Error ? cause.message : String(cause), "refused");
    }
  };
  if (logins === undefined) return null;
  return (
    <section className="settings-card">
      <h2>{words.loginsTitle}</h2>
      <p className="hint">{logins.length === 0 ? words.loginsNone : words.loginsText}</p>
      <ul className="plain-list">
        {logins.map((login) => (
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

interface LoginRowProps {
  readonly login: Login;
  readonly onRename: (name: string) => void;
  readonly onRevoke: () => void;
}

function LoginRow({ login, onRename, onRevoke }: LoginRowProps): ReactNode {
  const words = useWords().settings;
  const { language } = useChosen();
  const { name, address, createdAtMs, lastSeenAtMs, isCurrent, userAgent } = login;
  const [typed, setTyped] = useState(name);
  const timeOf = (at: number): string => new Date(at).toLocaleString(language);
  return (
    <li className="row spread">
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
          {isCurrent && ` ${words.loginThis}`}
        </small>
      </span>
      <button type="button" className="button is-small" onClick={onRevoke}>
        {isCurrent ? words.loginSignOut : words.loginRevoke}
        <span className="visually-hidden"> {name}</span>
      </button>
    </li>
  );
}

async function signOut(): Promise<void> {
  await createAskServer(fetchOwn)("POST", "/api/logout");
  pageSecret.keep(null);
  location.reload();
}
