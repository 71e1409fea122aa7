import { Add, Edit, Play } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import { listTableViews, type TableViewItem } from '#shared/contract/tableviews.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { useRight } from '#renderer/app/profile.ts';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { t } from '#renderer/language/translate.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { ListBar, useListSearch } from '#renderer/ui/ListSearch.tsx';
import { Page } from '#renderer/ui/Page.tsx';
import { EmptyState } from '#renderer/ui/states.tsx';
import './table-views.css';

/** /tableviews */
export function TableViewsPage() {
  const query = useQuery(queryOf(listTableViews));
  const [search, setSearch] = useListSearch();
  const canManage = useRight('sk.ManageTableViews') === true;
  return (
    <Page title={t('Table Views')}>
      <section className="rs-card" aria-label={t('Table Views')}>
        <ListBar label={t('Search table views')} search={search} onSearch={setSearch} query={query}>
          {canManage && <LinkButton to="/tableviews/new" icon={<Add />} text={t('Add')} />}
        </ListBar>
        <QueryStates query={query} failure={t('Failed to update table views list')}>
          {({ Items }) => <Views items={Items} search={search} canManage={canManage} />}
        </QueryStates>
      </section>
    </Page>
  );
}

interface ViewsProps {
  items: readonly TableViewItem[];
  search: string;
  canManage: boolean;
}

function Views({ items, search, canManage }: ViewsProps) {
  const wanted = useDeferredValue(search.trim().toLowerCase());
  const shown = useMemo(
    () => items.filter(({ ViewName, TableName }) => `${ViewName} on ${TableName}`.toLowerCase().includes(wanted)),
    [items, wanted],
  );
  if (items.length === 0) {
    return (
      <EmptyState
        title={t('No table views yet')}
        action={canManage && <LinkButton to="/tableviews/new" intent="primary" text={t('New table view')} />}
      >
        {canManage
          ? t('Choose a database table and what others can see of it.')
          : t('Table views appear here when someone creates one for a table that you may see.')}
      </EmptyState>
    );
  }
  if (shown.length === 0) return <EmptyState title={t("Nothing found for '{search}'", { search: search.trim() })} />;
  // Several connections may have the same table and view, so show the connection as well.
  const isPlain = new Set(items.map(({ ConnectionName }) => ConnectionName)).size < 2;
  return (
    <ul className="rs-plain-list rs-table-views">
      {shown.map((view) => (
        <li key={view.Id}>
          <div className="rs-table-view-name">
            <strong>{view.ViewName}</strong>
            <span className="rs-muted">
              {t('on {tableName}{connectionName}', {
                tableName: view.TableName,
                connectionName: isPlain ? '' : ` (${view.ConnectionName})`,
              })}
            </span>
          </div>
          <LinkButton
            to={`/tableviews/run/${view.Id}`}
            icon={<Play />}
            text={t('Run')}
            aria-label={t('Run {viewName} on {tableName}', { viewName: view.ViewName, tableName: view.TableName })}
          />
          {canManage && (
            <LinkButton
              to={`/tableviews/edit/${view.Id}`}
              icon={<Edit />}
              variant="minimal"
              text={t('Edit')}
              aria-label={t('Edit {viewName} on {tableName}', { viewName: view.ViewName, tableName: view.TableName })}
            />
          )}
        </li>
      ))}
    </ul>
  );
}
