import { Link, useLocation } from 'react-router-dom';
import { ChevronLeft } from '@blueprintjs/icons';
import { t } from '#renderer/language/translate.ts';
import { PageTabs, type PageTab } from '#renderer/ui/PageTabs.tsx';
import { groupTitle } from './administration-groups.ts';
import { isAt, menuSections, pageAt } from './menu-sections.ts';
import { ADMINISTRATION_PATH, PAGES } from './pages.ts';
import type { PortalPage } from './portal-page.ts';
import { useIsProfileLoading } from './profile.ts';
import { usePages } from './use-pages.ts';
import { WaitingCount } from './WaitingCount.tsx';

/**
 * The pages beside the current one: those of its entry in the menu, or of its group of the page Administration. They
 * stand above the page instead of in the menu, because on a phone the menu is closed.
 */
export function SectionTabs() {
  const { pathname } = useLocation();
  const pages = usePages();
  const isLoading = useIsProfileLoading();
  // Until the rights are known, every page counts, so that its place is reserved.
  const page = pageAt(isLoading ? PAGES : pages, pathname);
  if (!page || page.section === undefined || page.path === ADMINISTRATION_PATH) return null;
  const { section, group } = page;
  const beside = (isLoading ? PAGES : pages).filter((one) => one.section === section && one.group === group);
  if (group === undefined && (beside.length < 2 || section === 'plugins')) return null;
  const shown = isLoading ? beside.filter((one) => one === page) : beside;
  const label = group ? groupTitle(group) : (menuSections(beside)[0]?.title ?? page.title);
  return (
    <PageTabs label={label} tabs={shown.map((one) => tabOf(one, page, pathname))} parent={group && <ToGroups />} />
  );
}

const tabOf = (one: PortalPage, shown: PortalPage, path: string): PageTab => ({
  text: one.tab ?? one.title,
  to: one.path,
  current: one.path !== shown.path ? undefined : isAt(one, path) ? 'page' : 'true',
  count: one.count !== undefined && one.count > 0 && <WaitingCount count={one.count} />,
});

function ToGroups() {
  return (
    <Link to={ADMINISTRATION_PATH} className="rs-tabs-parent">
      <ChevronLeft />
      {t('Administration')}
    </Link>
  );
}
