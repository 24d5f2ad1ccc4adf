/** A link within the client: a real one, that needs no new page. */
import type { MouseEvent, ReactNode } from "react";
import { useApp } from "../app/app.ts";

export interface LinkProps {
  readonly to: string;
  readonly className?: string;
  readonly isCurrent?: boolean;
  readonly children: ReactNode;
}

export function Link({ to, className, isCurrent = false, children }: LinkProps): ReactNode {
  const { navigation } = useApp();
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigation.go(to);
  };
  return (
    <a
      href={to}
      className={className}
      aria-current={isCurrent ? "page" : undefined}
      onClick={follow}
    >
      {children}
    </a>
  );
}
