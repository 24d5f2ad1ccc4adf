/** Which version is shown, and what it is held against. */
import type { ReactNode } from "react";
import { useTexts } from "../../../app/app.ts";

/** Something that is no version and can be chosen all the same. */
interface OtherChoice {
  readonly name: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

interface VersionSelectProps {
  readonly label: string;
  readonly last: number;
  readonly value: number | undefined;
  /** What stands first, for no version at all. */
  readonly none?: string;
  readonly other?: OtherChoice | undefined;
  readonly onChange: (version: number | undefined) => void;
}

const OTHER = "other";

function VersionSelect(props: VersionSelectProps): ReactNode {
  const { label, last, value, none, other, onChange } = props;
  const choose = (chosen: string): void => {
    if (chosen === OTHER) other?.onChoose();
    else onChange(chosen === "" ? undefined : Number(chosen));
  };
  return (
    <label className="row">
      <span className="label">{label}</span>
      <select
        value={other?.isChosen === true ? OTHER : (value ?? "")}
        onChange={({ target }) => choose(target.value)}
      >
        {none !== undefined && <option value="">{none}</option>}
        {other !== undefined && <option value={OTHER}>{other.name}</option>}
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
  /** What it may be compared with besides. */
  readonly other?: OtherChoice | undefined;
  readonly onShown: (version: number) => void;
  readonly onAgainst: (version: number | undefined) => void;
}

export function VersionSelects(props: VersionsProps): ReactNode {
  const { newest, shown, against, none, other, onShown, onAgainst } = props;
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
      <VersionSelect
        {...{ label, none, other }}
        last={newest}
        value={against}
        onChange={onAgainst}
      />
    </>
  );
}
