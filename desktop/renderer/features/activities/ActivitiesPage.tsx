import { Button } from '@blueprintjs/core';
import { CollapseAll, ExpandAll } from '@blueprintjs/icons';
import { useDeferredValue, useMemo } from 'react';
import type { ActivityList } from '#shared/contract/activities.ts';
import { useRight } from '#renderer/app/profile.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { ListBar, useListSearch } from '#renderer/ui/ListSearch.tsx';
import { Page } from '#renderer/ui/Page.tsx';
import { EmptyState, FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { buildSections, recentRunDays } from './activity-sections.ts';
import { setAllExpanded, useSections } from './expansion.ts';
import { DateLegend } from './RunDate.tsx';
import { Sections } from './Sections.tsx';
import { useActivities } from './use-activities.ts';
import './activities.css';

const UploadReport = lazyPart(async () => (await import('./UploadReport.tsx')).UploadReport);

export function ActivitiesPage() {
  const query = useActivities();
  const [search, setSearch] = useListSearch();
  const canCreate = useRight('sk.CreateActivity') === true;
  const canMakeChecklists = useRight('sk.EditChecklist') === true;
  return (
    <Page
      title="Activities"
      actions={
        <>
          {canCreate && <LinkButton to="/activities/new/" text="New Activity" />}
          {canMakeChecklists && <LinkButton to="/checklists/new" text="New Checklist" />}
          {canMakeChecklists && <LinkButton to="/workflows/import" text="Import Workflow" />}
        </>
      }
    >
      <section className="rs-card" aria-label="Activities">
        <ListBar
          label="Search activities"
          search={search}
          onSearch={setSearch}
          query={query}
          buttons={
            <>
              <Button icon={<ExpandAll />} variant="minimal" text="Expand All" onClick={() => setAllExpanded(true)} />
              <Button
                icon={<CollapseAll />}
                variant="minimal"
                text="Collapse All"
                onClick={() => setAllExpanded(false)}
              />
            </>
          }
        >
          {query.data && <Legend list={query.data} />}
        </ListBar>
        {query.data && <ActivityTree list={query.data} search={search} canCreate={canCreate} />}
        {!query.data && query.error && <FailureState error={query.error} onRetry={() => void query.refetch()} />}
        {!query.data && !query.error && <Skeleton kind="tiles" />}
      </section>
      <UploadReport />
    </Page>
  );
}

function Legend({ list }: { list: ActivityList }) {
  const days = useMemo(() => recentRunDays(list), [list]);
  return <DateLegend days={days} />;
}

function ActivityTree({ list, search, canCreate }: { list: ActivityList; search: string; canCreate: boolean }) {
  const wanted = useDeferredValue(search.trim());
  const sections = useMemo(() => buildSections(list, wanted), [list, wanted]);
  const days = useMemo(() => recentRunDays(list), [list]);
  const state = useSections(list.Activities.length + list.Checklists.length, wanted !== '');
  if (list.Activities.length + list.Checklists.length === 0) {
    return (
      <EmptyState
        title="No activities yet"
        action={canCreate && <LinkButton to="/activities/new/" intent="primary" text="New Activity" />}
      >
        {canCreate
          ? 'Upload an Excel workbook, and it becomes an activity that others can run.'
          : 'Activities appear here as soon as somebody gives you the right to run them.'}
      </EmptyState>
    );
  }
  if (sections.length === 0) return <EmptyState title={`Nothing found for '${wanted}'`} />;
  return <Sections sections={sections} state={state} days={days} />;
}
