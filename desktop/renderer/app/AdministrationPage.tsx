import { Link } from 'react-router-dom';
import { t } from '#renderer/language/translate.ts';
import { NO_PERMISSION } from '#renderer/api/app-failure.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { EmptyState, Skeleton } from '#renderer/ui/states.tsx';
import { groupTitle } from './administration-groups.ts';
import { ABOUT } from './administration-texts.ts';
import { PageIcon } from './page-icons.tsx';
import { ADMINISTRATION_GROUPS, type AdministrationGroup, type PortalPage } from './portal-page.ts';
import { useIsProfileLoading } from './profile.ts';
import { usePages } from './use-pages.ts';
import './administration.css';

/** /administration: everything that only some users may set up or look after, in groups. */
export function AdministrationPage() {
  const isLoading = useIsProfileLoading();
  const pages = usePages();
  const groups = ADMINISTRATION_GROUPS.map((group) => ({
    group,
    listed: pages.filter((page) => page.group === group),
  })).filter(({ listed }) => listed.length > 0);
  return (
    <Page title={t('Administration')}>
      {isLoading && <Skeleton kind="grid" />}
      {!isLoading && groups.length === 0 && <EmptyState title={NO_PERMISSION} />}
      {groups.length > 0 && (
        <nav className="rs-administration" aria-label={t('Administration')}>
          {groups.map(({ group, listed }) => (
            <Group key={group} group={group} pages={listed} />
          ))}
        </nav>
      )}
    </Page>
  );
}

function Group({ group, pages }: { group: AdministrationGroup; pages: readonly PortalPage[] }) {
  const title = groupTitle(group);
  return (
    <section className="rs-card" aria-label={title}>
      <h2>{title}</h2>
      <ul className="rs-plain-list">
        {pages.map(({ path, title: name, icon }) => (
          <li key={path}>
            <PageIcon icon={icon} />
            <div>
              <Link to={path}>{name}</Link>
              {ABOUT[path] !== undefined && <p className="rs-muted">{ABOUT[path]}</p>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
