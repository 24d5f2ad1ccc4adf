/** How a person likes things; kept in this browser alone. */
import { useState, type ReactNode } from "react";
import { useStore } from "zustand";
import { useApp, usePreferences, useTexts } from "../../app/app.ts";
import { MAX_NAME_CHARS, plainName } from "../../app/person.ts";
import { PREFERENCE_NAMES, PREFERENCES, type Preferences } from "../../app/preferences.ts";
import { ring } from "../../ui/chime.tsx";
import { Button } from "../../ui/controls.tsx";

export function LocalSettings(): ReactNode {
  const words = useTexts().settings;
  const { sound } = usePreferences();
  return (
    <section className="settings-card">
      <h2>{words.localTitle}</h2>
      <p className="hint">{words.localText}</p>
      <NameField />
      {PREFERENCE_NAMES.map((name) => (
        <Choice key={name} name={name} />
      ))}
      {sound === "on" && (
        <Button look="small" onClick={() => ring(new AudioContext())}>
          {words.tryChime}
        </Button>
      )}
    </section>
  );
}

function Choice({ name }: { readonly name: keyof Preferences }): ReactNode {
  const words = useTexts().settings;
  const { preferences } = useApp();
  const chosen = usePreferences()[name];
  const labels: Readonly<Record<string, string>> = words.choices[name];
  return (
    <fieldset className="settings-choice">
      <legend>{words.names[name]}</legend>
      <div className="settings-options">
        {PREFERENCES[name].map((choice) => (
          <label key={choice} className="settings-option">
            <input
              type="radio"
              name={name}
              value={choice}
              checked={chosen === choice}
              onChange={() => preferences.setState({ [name]: choice })}
            />
            <span>{labels[choice]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Taken over when one is done with it, so that nobody is called by half a name. */
function NameField(): ReactNode {
  const words = useTexts().settings;
  const { person, notices } = useApp();
  const { name } = useStore(person);
  const [typed, setTyped] = useState(name);
  const keep = (): void => {
    const next = plainName(typed);
    setTyped(next);
    if (next === name) return;
    person.setState({ name: next });
    notices.say(next === "" ? words.personForgotten : words.personKept(next));
  };
  return (
    <label className="field settings-name">
      <span>{words.personName}</span>
      <input
        value={typed}
        maxLength={MAX_NAME_CHARS}
        autoComplete="nickname"
        placeholder={words.personNone}
        aria-describedby="person-hint"
        onChange={({ target }) => setTyped(target.value)}
        onBlur={keep}
        onKeyDown={({ key }) => key === "Enter" && keep()}
      />
      <small id="person-hint" className="hint">
        {words.personHint(MAX_NAME_CHARS)}
      </small>
    </label>
  );
}
