/** The field in which a setting is changed: as the kind of its value wants it. */
import type { ReactNode } from "react";
import { useTexts } from "../../../app/app.ts";
import type { SettingRow } from "./setting-rows.ts";

interface SettingFieldProps {
  readonly row: SettingRow;
  readonly name: string;
  readonly text: string;
  /** Of what is said to be wrong with it. */
  readonly problemId: string | undefined;
  readonly onChange: (text: string) => void;
}

export function SettingField({
  row,
  name,
  text,
  problemId,
  onChange,
}: SettingFieldProps): ReactNode {
  const { settingsEditor: words } = useTexts();
  const { kind, options, isWhole, minimum, maximum } = row;
  const common = {
    value: text,
    "aria-label": name,
    "aria-invalid": problemId !== undefined,
    "aria-describedby": problemId,
    autoFocus: true,
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      onChange(target.value),
  };
  switch (kind) {
    case "choice":
      return (
        <select {...common} required>
          <option value="" disabled>
            {words.choose}
          </option>
          {options.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      );
    case "number":
      return (
        <input
          {...common}
          type="number"
          required
          min={minimum}
          max={maximum}
          step={isWhole ? 1 : "any"}
        />
      );
    case "text":
      return <input {...common} required dir="auto" autoComplete="off" spellCheck={false} />;
    case "texts":
    case "json":
      return (
        <>
          <textarea {...common} rows={5} dir="ltr" spellCheck={false} />
          <small className="hint">{kind === "texts" ? words.onePerLine : words.asJson}</small>
        </>
      );
  }
}
