import type { SeenPortal } from '#shared/contract/see-as.ts';
import { groupTitle } from '#renderer/app/administration-groups.ts';
import { menuSections } from '#renderer/app/menu-sections.ts';
import { pagesFor } from '#renderer/app/pages-for.ts';
import { ADMINISTRATION_GROUPS, type PortalPage } from '#renderer/app/portal-page.ts';
import { t } from '#renderer/language/translate.ts';

/** The entries of the person's menu with the pages behind them, without links: the reader's own pages may differ. */
export function SeenMenu({ seen }: { seen: SeenPortal }) {
  const { Rights, IsUserAdmin, IsLocal, HasApprovals, PluginPages } = seen;
  const pages = pagesFor({
    holds: (right) => Rights.includes(right),
    isUserAdmin: IsUserAdmin,
    isLocal: IsLocal,
    hasApprovals: HasApprovals,
    hasOutbox: false,
  });
  return (
    <dl className="rs-seen-menu">
      {menuSections(pages).map(({ name, title, pages: listed }) => (
        <div key={name}>
          <dt>{title}</dt>
          {name === 'administration' ? (
            <Administration pages={listed} />
          ) : (
            <dd>{listed.map(({ tab, title: long }) => tab ?? long).join(', ')}</dd>
          )}
        </div>
      ))}
      {PluginPages.length > 0 && (
        <div>
          <dt>{t('Plugins')}</dt>
          <dd>{PluginPages.join(', ')}</dd>
        </div>
      )}
    </dl>
  );
}

function Administration({ pages }: { pages: readonly PortalPage[] }) {
  return ADMINISTRATION_GROUPS.map((group) => {
    const listed = pages.filter((page) => page.group === group);
    if (listed.length === 0) return null;
    return (
      <dd key={group}>
        <span className="rs-muted">{groupTitle(group)}:</span> {listed.map(({ title }) => title).join(', ')}
      </dd>
    );
  });
}
