import { t } from '#renderer/language/translate.ts';
import type { MenuSectionName, PortalPage } from './portal-page.ts';

/** An entry of the side menu, with the pages behind it that the user may open. */
export interface MenuSection {
  name: MenuSectionName;
  title: string;
  pages: readonly PortalPage[];
}

const SECTIONS: readonly Omit<MenuSection, 'pages'>[] = [
  { name: 'activities', title: t('Activities') },
  { name: 'runs', title: t('Runs') },
  { name: 'automation', title: t('Automation') },
  { name: 'dashboards', title: t('Dashboards') },
  { name: 'data', title: t('Data') },
  { name: 'new', title: t('New') },
  { name: 'plugins', title: t('Plugins') },
  { name: 'administration', title: t('Administration') },
];

/** Returns the entries of the side menu; entries without any page for the user are skipped. */
export function menuSections(pages: readonly PortalPage[]): MenuSection[] {
  return SECTIONS.map((section) => ({
    ...section,
    pages: pages.filter((page) => page.section === section.name),
  })).filter((section) => section.pages.length > 0);
}

/** Pages that no entry lists, with the entry that they belong to. The first match wins. */
const BELOW: readonly [path: RegExp, section: MenuSectionName][] = [
  [/^\/activities\/(runstatus|runcompare|batch)\//, 'runs'],
  [/^\/(checklists|workflows)\/runstatus\//, 'runs'],
  [/^\/alerts\//, 'automation'],
  [/^\/tableviews\//, 'data'],
  [/^\/dashboards\//, 'dashboards'],
  [/^\/(activities|checklists|workflows)\//, 'activities'],
];

const plain = (path: string): string => path.replace(/[?].*$/, '').replace(/\/+$/, '');

/** Returns the listed page that is shown at a path, or that the page at the path is part of. */
export function pageAt(pages: readonly PortalPage[], path: string): PortalPage | undefined {
  return (
    pages.find((page) => page.section !== 'new' && plain(page.path) === plain(path)) ??
    pages.find((page) => page.covers?.test(path))
  );
}

/** Returns the entry of the side menu that a path belongs to. */
export function sectionAt(pages: readonly PortalPage[], path: string): MenuSectionName | undefined {
  return pageAt(pages, path)?.section ?? BELOW.find(([pattern]) => pattern.test(path))?.[1];
}

/** Returns whether a path is exactly that of a page. */
export const isAt = (page: PortalPage, path: string): boolean => plain(page.path) === plain(path);
