/** How a person likes things; kept in this browser alone. */
import type { ReactNode } from "react";
import { ring } from "../../shell/chime.tsx";
import { useHouse, usePreferences, useWords } from "../../shell/house.ts";
import { PREFERENCE_NAMES, PREFERENCES, type Preferences } from "../../shell/preferences.ts";

export function LocalSettings(): ReactNode {
  const words = useWords().settings;
  const { sound } = usePreferences();
  return (
    <section className="settings-card">
      <h2>{words.localTitle}</h2>
      <p className="hint">{words.localText}</p>
      {PREFERENCE_NAMES.map((name) => (
        <Choice key={name} name={name} />
      ))}
      {sound === "on" && (
        <button type="button" className="button is-small" onClick={() => ring(new AudioContext())}>
          {words.tryChime}
        </button>
      )}
    </section>
  );
}

function Choice({ name }: { readonly name: keyof Preferences }): ReactNode {
  const words = useWords().settings;
  const { preferences } = useHouse();
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
