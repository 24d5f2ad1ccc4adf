/** Which version is shown, and what it is held against. */
import type { ReactNode } from "react";
import { useTexts } from "../../../app/app.ts";

interface VersionSelectProps {
  readonly label: string;
  readonly last: number;
  readonly value: number | undefined;
  /** What stands first, for no version at all. */
  readonly none?: string;
  readonly onChange: (version: number | undefined) => void;
}

function VersionSelect({ label, last, value, none, onChange }: VersionSelectProps): ReactNode {
  return (
    <label className="row">
      <span className="label">{label}</span>
      <select
        value={value ?? ""}
        onChange={({ target }) => onChange(target.value === "" ? undefined : Number(target.value))}
      >
        {none !== undefined && <option value="">{none}</option>}
        {Array.from({ length: last }, (_, at) => (
          <option key={at} value={at + 1}>
            {at + 1}
          </option>
        ))}
      </select>
    </label>
  );
}

export interface VersionsProps {
  readonly newest: number;
  readonly shown: number;
  readonly against: number | undefined;
  /** What it is compared with when that is no version. */
  readonly none: string;
  readonly label?: string;
  readonly onShown: (version: number) => void;
  readonly onAgainst: (version: number | undefined) => void;
}

export function VersionSelects(props: VersionsProps): ReactNode {
  const { newest, shown, against, none, onShown, onAgainst } = props;
  const words = useTexts();
  const { label = words.reviewAgainst } = props;
  if (newest === 1) return null;
  return (
    <>
      <VersionSelect
        label={words.reviewVersion}
        last={newest}
        value={shown}
        onChange={(next) => onShown(next ?? newest)}
      />
      <VersionSelect label={label} last={newest} value={against} none={none} onChange={onAgainst} />
    </>
  );
}
