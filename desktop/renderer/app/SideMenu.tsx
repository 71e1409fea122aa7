import { Button, PopoverNext } from '@blueprintjs/core';
import { Link, useLocation } from 'react-router-dom';
import { useServerReason } from '#renderer/api/connection.ts';
import { t } from '#renderer/language/translate.ts';
import { MenuEntries } from '#renderer/ui/TitleMenu.tsx';
import { isAt, menuSections, sectionAt, type MenuSection } from './menu-sections.ts';
import type { MenuSectionName, PortalPage } from './portal-page.ts';
import { SectionIcon } from './section-icons.tsx';
import { usePages } from './use-pages.ts';
import { WaitingCount } from './WaitingCount.tsx';

/** The menu of the portal. The pages behind an entry are tabs above the page, or the page Administration. */
export function SideMenu() {
  const pages = usePages();
  const { pathname } = useLocation();
  const current = sectionAt(pages, pathname);
  return (
    <nav id="side-menu" className="rs-side" aria-label={t('Main')}>
      <ul>
        {menuSections(pages).map((section) => (
          <li key={section.name}>
            {section.name === 'new' ? (
              <NewMenu pages={section.pages} />
            ) : section.name === 'plugins' ? (
              <PluginPages section={section} />
            ) : (
              <SectionLink section={section} isCurrent={section.name === current} />
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}

function SectionLink({ section, isCurrent }: { section: MenuSection; isCurrent: boolean }) {
  const { title, name, pages } = section;
  const isAway = useServerReason() !== undefined;
  // Without the server, the entry leads to what can be read without it.
  const target = (isAway ? pages.find((page) => page.isReadable) : undefined) ?? pages[0];
  const count = pages.reduce((sum, page) => sum + (page.count ?? 0), 0);
  return target && <MenuLink page={target} title={title} section={name} count={count} isCurrent={isCurrent} />;
}

interface MenuLinkProps {
  page: PortalPage;
  title: string;
  section: MenuSectionName;
  count: number;
  isCurrent: boolean;
}

function MenuLink({ page, title, section, count, isCurrent }: MenuLinkProps) {
  const { pathname } = useLocation();
  const reason = useServerReason();
  if (reason !== undefined && !page.isReadable) {
    return (
      <span className="rs-side-away" aria-disabled="true" title={reason}>
        <SectionIcon name={section} />
        <span>{title}</span>
      </span>
    );
  }
  return (
    <Link
      to={page.path}
      title={page.address}
      className={isCurrent ? 'rs-side-on' : ''}
      aria-current={isCurrent ? (isAt(page, pathname) ? 'page' : 'true') : undefined}
    >
      <SectionIcon name={section} />
      <span>{title}</span>
      {count > 0 && <WaitingCount count={count} />}
    </Link>
  );
}

function PluginPages({ section: { title, pages } }: { section: MenuSection }) {
  const { pathname } = useLocation();
  return (
    <>
      <h2 id="side-menu-plugins">{title}</h2>
      <ul aria-labelledby="side-menu-plugins">
        {pages.map((page) => (
          <li key={page.path}>
            <MenuLink page={page} title={page.title} section="plugins" count={0} isCurrent={isAt(page, pathname)} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** What the user may create. */
function NewMenu({ pages }: { pages: readonly PortalPage[] }) {
  const reason = useServerReason();
  const entries = pages.map(({ title, path }) => ({ text: title, to: path }));
  return (
    <PopoverNext
      fill
      placement="bottom-start"
      content={<MenuEntries entries={entries} />}
      disabled={reason !== undefined}
    >
      <Button
        className="rs-side-new"
        variant="minimal"
        alignText="start"
        fill
        icon={<SectionIcon name="new" />}
        text={t('New')}
        title={reason}
        disabled={reason !== undefined}
        aria-haspopup="menu"
      />
    </PopoverNext>
  );
}
