import { createContext, use, useEffect, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { pageSettings } from '#renderer/api/page-settings.ts';
import { t } from '#renderer/language/translate.ts';
import { setPageMenu } from './page-menu.ts';
import { PageObjectContext } from './page-object.ts';
import type { MenuEntry } from './TitleMenu.tsx';
import './parts.css';

export interface PageProps {
  /** Heading, and title of the browser tab. */
  title: string;
  /** Distinguishes pages with the same title: 'Run 12'. Also shown in heading and tab. */
  number?: string;
  /** Entries of the menu beside the title; false and null are skipped, and an empty menu is not shown. */
  menu?: (MenuEntry | false | null | undefined)[];
  /** Plain text below the title. */
  description?: ReactNode;
  /** Buttons at the right end of the title line. */
  actions?: ReactNode;
  /** True for a single column of at most 760 px, used for forms. */
  narrow?: boolean;
  children?: ReactNode;
}

type DrawMenu = (label: string, entries: readonly MenuEntry[]) => ReactNode;

/** Renders the menu of a title. Pages outside the frame have no menus and do not need to load this code. */
export const TitleMenuContext = createContext<DrawMenu>(() => null);

/** The common layout of all pages in the frame. */
export function Page({ title, number, menu = [], description, actions, narrow, children }: PageProps) {
  const { name, slot } = use(PageObjectContext);
  // Tabs of the browser are told apart by the name of the object.
  const full = name === '' || title === '' || title.includes(name) ? title : `${title} - ${name}`;
  useDocumentTitle(number ? `${full} · ${number}` : full);
  const drawMenu = use(TitleMenuContext);
  const entries = menu.filter((entry) => entry !== false && entry !== null && entry !== undefined);
  useEffect(() => {
    setPageMenu(entries);
    return () => setPageMenu([]);
  });
  const heading = (
    <div className="rs-page-title">
      <h1 tabIndex={-1}>
        {title}
        {number && <span className="rs-page-number"> {number}</span>}
      </h1>
      {entries.length > 0 && drawMenu(t('Menu of {title}', { title }), entries)}
    </div>
  );
  return (
    <div className={narrow ? 'rs-page rs-page-narrow' : 'rs-page'}>
      {slot && createPortal(heading, slot)}
      {(slot === undefined || actions) && (
        <div className="rs-page-head">
          {slot === undefined && heading}
          {actions && <div className="rs-page-actions">{actions}</div>}
        </div>
      )}
      {description && <div className="rs-page-description">{description}</div>}
      {children}
    </div>
  );
}

export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? pageSettings.title : `${title} · ${pageSettings.title}`;
  }, [title]);
}

/** A framed section of a page, with an optional heading. */
export function Card({ title, children, className }: { title?: string; children?: ReactNode; className?: string }) {
  return (
    <section className={className ? `rs-card ${className}` : 'rs-card'} aria-label={title}>
      {title && <h2>{title}</h2>}
      {children}
    </section>
  );
}
