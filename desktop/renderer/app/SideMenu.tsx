import { NavLink } from 'react-router-dom';
import { APPROVAL_COUNT_MAX } from '#shared/contract/approvals.ts';
import { useServerReason } from '#renderer/api/connection.ts';
import { said, t } from '#renderer/language/translate.ts';
import { PageIcon } from './page-icons.tsx';
import type { PortalPage } from './pages.ts';
import { usePages } from './use-pages.ts';

export function SideMenu() {
  const pages = usePages().filter((page) => !page.isOnlyInPalette);
  return (
    <nav id="side-menu" className="rs-side" aria-label={t('Main')}>
      <PageList pages={pages.filter((page) => page.group === undefined)} />
      {GROUPS.map((group) => (
        <PageGroup key={group} group={group} pages={pages.filter((page) => page.group === group)} />
      ))}
    </nav>
  );
}

const GROUPS = ['Plugins', 'Security'] as const;

function PageGroup({ group, pages }: { group: (typeof GROUPS)[number]; pages: readonly PortalPage[] }) {
  if (pages.length === 0) return null;
  const id = `side-menu-${group.toLowerCase()}`;
  return (
    <>
      <h2 id={id}>{said(group)}</h2>
      <PageList pages={pages} labelledBy={id} />
    </>
  );
}

function WaitingCount({ count }: { count: number }) {
  const shown = count >= APPROVAL_COUNT_MAX ? `${APPROVAL_COUNT_MAX - 1}+` : String(count);
  return (
    <span className="rs-side-count">
      {shown}
      <span className="rs-visually-hidden"> {t('waiting')}</span>
    </span>
  );
}

function PageList({ pages, labelledBy }: { pages: readonly PortalPage[]; labelledBy?: string }) {
  const reason = useServerReason();
  return (
    <ul aria-labelledby={labelledBy}>
      {pages.map((page) => (
        <li key={page.path} className={page.isNested ? 'rs-side-nested' : undefined}>
          {reason === undefined || page.isReadable ? (
            <NavLink
              to={page.path}
              end
              title={page.address}
              className={({ isActive }) => (isActive ? 'rs-side-on' : '')}
            >
              <PageIcon icon={page.icon} />
              <span>{page.title}</span>
              {page.count !== undefined && page.count > 0 && <WaitingCount count={page.count} />}
            </NavLink>
          ) : (
            <span className="rs-side-away" aria-disabled="true" title={reason}>
              <PageIcon icon={page.icon} />
              <span>{page.title}</span>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
