import { Button, ButtonGroup } from '@blueprintjs/core';
import { CollapseAll, ExpandAll, GridView, ThList } from '@blueprintjs/icons';
import { useDeferredValue, useMemo } from 'react';
import { useLocation } from 'react-router-dom';
import type { ActivityList } from '#shared/contract/activities.ts';
import { useRight } from '#renderer/app/profile.ts';
import { t } from '#renderer/language/translate.ts';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { ListBar, useListSearch } from '#renderer/ui/ListSearch.tsx';
import { Page } from '#renderer/ui/Page.tsx';
import { EmptyState, FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { buildSections, recentRunDays } from './activity-sections.ts';
import { setAllExpanded, useSections } from './expansion.ts';
import { chooseView, useListView, type ListView } from './list-view.ts';
import { DateLegend } from './RunDate.tsx';
import { Sections } from './Sections.tsx';
import { readUploaded } from '#renderer/features/activities/upload/upload-state.ts';
import { useActivities } from '#renderer/features/activities/use-activities.ts';
import { useIsWelcomeLoading, Welcome } from '#renderer/features/activities/welcome/Welcome.tsx';
import './activities.css';

const UploadReport = lazyPart(
  async () => (await import('#renderer/features/activities/upload/UploadReport.tsx')).UploadReport,
);
const ActivityTable = lazyPart(async () => (await import('./ActivityTable.tsx')).ActivityTable);

export function ActivitiesPage() {
  const query = useActivities();
  const isWelcomeLoading = useIsWelcomeLoading();
  const list = isWelcomeLoading ? undefined : query.data;
  const [search, setSearch] = useListSearch();
  const view = useListView(query.data?.Activities.length ?? 0);
  const isTiled = view === 'tiles';
  const isUploaded = readUploaded(useLocation().state) !== null;
  const canCreate = useRight('sk.CreateActivity') === true;
  const canMakeChecklists = useRight('sk.EditChecklist') === true;
  return (
    <Page
      title={t('Activities')}
      actions={
        <>
          {canCreate && <LinkButton needsServer to="/activities/new/" text={t('New activity')} />}
          {canMakeChecklists && <LinkButton needsServer to="/checklists/new" text={t('New checklist')} />}
          {canMakeChecklists && <LinkButton needsServer to="/workflows/import" text={t('Import workflow')} />}
        </>
      }
    >
      {isUploaded && <UploadReport />}
      {list && <Welcome list={list} />}
      <section className="rs-card" aria-label={t('Activities')}>
        <ListBar
          label={t('Search activities')}
          search={search}
          onSearch={setSearch}
          query={query}
          buttons={
            <>
              {isTiled && (
                <>
                  <Button
                    icon={<ExpandAll />}
                    variant="minimal"
                    text={t('Expand All')}
                    onClick={() => setAllExpanded(true)}
                  />
                  <Button
                    icon={<CollapseAll />}
                    variant="minimal"
                    text={t('Collapse All')}
                    onClick={() => setAllExpanded(false)}
                  />
                </>
              )}
              <ViewSwitch view={view} />
            </>
          }
        >
          {list && isTiled && <Legend list={list} />}
        </ListBar>
        {list && <Listed list={list} search={search} canCreate={canCreate} view={view} />}
        {!query.data && query.error && <FailureState error={query.error} onRetry={() => void query.refetch()} />}
        {!list && (query.data || !query.error) && <Skeleton kind="tiles" />}
      </section>
    </Page>
  );
}

function Legend({ list }: { list: ActivityList }) {
  const days = useMemo(() => recentRunDays(list), [list]);
  return <DateLegend days={days} />;
}

function ViewSwitch({ view }: { view: ListView }) {
  return (
    <ButtonGroup variant="minimal" role="group" aria-label={t('View')}>
      <Button
        icon={<ThList title={false} />}
        aria-label={t('Table')}
        aria-pressed={view === 'table'}
        active={view === 'table'}
        onClick={() => chooseView('table')}
      />
      <Button
        icon={<GridView title={false} />}
        aria-label={t('Tiles')}
        aria-pressed={view === 'tiles'}
        active={view === 'tiles'}
        onClick={() => chooseView('tiles')}
      />
    </ButtonGroup>
  );
}

interface ListedProps {
  list: ActivityList;
  search: string;
  canCreate: boolean;
  view: ListView;
}

function Listed({ list, search, canCreate, view }: ListedProps) {
  if (list.Activities.length + list.Checklists.length === 0) {
    return (
      <EmptyState
        title={t('No activities yet')}
        action={canCreate && <LinkButton needsServer to="/activities/new/" intent="primary" text={t('New activity')} />}
      >
        {canCreate
          ? t('Upload an Excel workbook, and it becomes an activity that others can run.')
          : t('Activities appear here as soon as someone gives you the right to run them.')}
      </EmptyState>
    );
  }
  return view === 'table' ? <ActivityTable list={list} /> : <ActivityTree list={list} search={search} />;
}

function ActivityTree({ list, search }: { list: ActivityList; search: string }) {
  const wanted = useDeferredValue(search.trim());
  const sections = useMemo(() => buildSections(list, wanted), [list, wanted]);
  const days = useMemo(() => recentRunDays(list), [list]);
  const state = useSections(list.Activities.length + list.Checklists.length, wanted !== '');
  if (sections.length === 0) return <EmptyState title={t("Nothing found for '{wanted}'", { wanted })} />;
  return <Sections sections={sections} state={state} days={days} />;
}
