import { useEffect, useRef, type ReactNode } from 'react';
import { Link, type To } from 'react-router-dom';

export interface PageTab {
  text: string;
  to: To;
  /** 'page' if it is the page shown, 'true' if the page shown belongs to it. */
  current?: 'page' | 'true' | undefined;
  /** Shown after the text: the number of things that wait there. */
  count?: ReactNode;
}

interface PageTabsProps {
  /** Name of the landmark: what the tabs are about. */
  label: string;
  tabs: readonly PageTab[];
  /** Before the tabs: the way back to the page that lists them. */
  parent?: ReactNode;
  /** True for the pages within a tab, below the row of tabs. */
  isSecond?: boolean;
}

/** Links to the pages of one object or of one entry of the menu. Each has an address, so these are not ARIA tabs. */
export function PageTabs({ label, tabs, parent, isSecond = false }: PageTabsProps) {
  const list = useRef<HTMLUListElement>(null);
  const current = tabs.findIndex((tab) => tab.current !== undefined);
  useEffect(() => {
    // On a small screen the tabs scroll sideways; the current one must not be out of sight.
    const [box, tab] = [list.current, list.current?.children[current]];
    if (!box || !(tab instanceof HTMLElement)) return;
    box.scrollLeft = tab.offsetLeft - (box.clientWidth - tab.offsetWidth) / 2;
  }, [current]);
  return (
    <nav className={isSecond ? 'rs-tabs rs-tabs-second' : 'rs-tabs'} aria-label={label}>
      {parent}
      <ul ref={list}>
        {tabs.map(({ text, to, current: isCurrent, count }) => (
          <li key={text}>
            <Link to={to} aria-current={isCurrent}>
              {text}
              {count}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
