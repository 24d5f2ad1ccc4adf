/** A page with a list at its side and one thing open, or a new one begun; on a phone one of the two at a time. */
import type { ReactNode } from "react";
import { Link } from "./link.tsx";

export interface MasterDetailProps {
  readonly title: string;
  /** Where a new one is begun. */
  readonly home: string;
  readonly newLabel: string;
  readonly isOpen: boolean;
  /** Rows, and what is said or offered around them. */
  readonly list: ReactNode;
  readonly children: ReactNode;
}

export function MasterDetail(props: MasterDetailProps): ReactNode {
  const { title, home, newLabel, isOpen, list, children } = props;
  return (
    <div className="list-page" data-open={isOpen}>
      <aside className="list-side">
        <div className="row spread">
          <h2>{title}</h2>
          <Link to={home} className="button is-small">
            {newLabel}
          </Link>
        </div>
        {list}
      </aside>
      <div className="list-content">{children}</div>
    </div>
  );
}

export interface ListRowProps {
  readonly to: string;
  readonly isOpen: boolean;
  readonly children: ReactNode;
}

export function ListRow({ to, isOpen, children }: ListRowProps): ReactNode {
  return (
    <li>
      <Link to={to} className="list-row" isCurrent={isOpen}>
        {children}
      </Link>
    </li>
  );
}
