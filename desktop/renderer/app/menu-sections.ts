import { t } from '#renderer/language/translate.ts';
import type { MenuSectionName, PortalPage } from './portal-page.ts';

/** An entry of the side menu, with the pages behind it that the user may open. */
export interface MenuSection {
  name: MenuSectionName;
  title: string;
  icon: PortalPage['icon'];
  pages: readonly PortalPage[];
}

const SECTIONS: readonly Omit<MenuSection, 'pages'>[] = [
  { name: 'activities', title: t('Activities'), icon: 'activities' },
  { name: 'runs', title: t('Runs'), icon: 'runs' },
  { name: 'automation', title: t('Automation'), icon: 'automation' },
  { name: 'dashboards', title: t('Dashboards'), icon: 'dashboards' },
  { name: 'data', title: t('Data'), icon: 'tableViews' },
  { name: 'new', title: t('New'), icon: 'new' },
  { name: 'plugins', title: t('Plugins'), icon: 'plugin' },
  { name: 'administration', title: t('Administration'), icon: 'administration' },
];

/** Returns the entries of the side menu; entries without any page for the user are left out. */
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
