import { Button, Dialog, DialogBody, Tag } from '@blueprintjs/core';
import { Add } from '@blueprintjs/icons';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState, type FormEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { DASHBOARD_NAME_MAX, dashboardList, saveDashboard, type DashboardItem } from '#shared/contract/dashboards.ts';
import type { ResultOf } from '#shared/contract/endpoint.ts';
import { call } from '#renderer/api/client.ts';
import { createSender } from '#renderer/api/create-sender.ts';
import { keyOf } from '#renderer/api/queries.ts';
import { SearchField } from '#renderer/ui/SearchField.tsx';
import { useFormChange } from '#renderer/ui/query/use-change.ts';
import { t } from '#renderer/language/translate.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { FormDialogFooter } from '#renderer/ui/FormDialogFooter.tsx';
import { TextField } from '#renderer/ui/FormField.tsx';
import { formatDayTime } from '#renderer/ui/format-date.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { EmptyState, FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { useNavigateWhileHere } from '#renderer/ui/use-navigate-while-here.ts';
import './dashboards.css';

const COLUMNS: GridColumn<DashboardItem>[] = [
  { key: 'Name', title: t('Name'), text: ({ Name }) => Name, to: ({ Id }) => `/dashboards/${Id}` },
  { key: 'Owner', title: t('Owner'), text: ({ OwnerFullName }) => OwnerFullName },
  {
    key: 'Shared',
    title: t('You can'),
    text: (item) => rightsText(item),
    render: (item) => (
      <>
        {rightsText(item)} {item.IsPublic && <Tag minimal>{t('Public link')}</Tag>}
      </>
    ),
  },
  {
    key: 'ModifiedTime',
    title: t('Changed'),
    text: ({ ModifiedTime }) => formatDayTime(ModifiedTime),
    render: ({ ModifiedTime }) => <DateText value={ModifiedTime} />,
  },
];

const rightsText = ({ IsOwn, CanEdit }: DashboardItem): string =>
  IsOwn ? t('edit and share') : CanEdit ? t('edit') : t('view');

const NO_ITEMS: DashboardItem[] = [];

/** /dashboards */
export function DashboardsPage() {
  const [typed, setTyped] = useState('');
  const [isMaking, setMaking] = useState(false);
  const navigate = useNavigate();
  const Search = useDeferredValue(typed.trim().slice(0, DASHBOARD_NAME_MAX));
  const query = useInfiniteQuery({
    queryKey: [...keyOf(dashboardList), Search],
    queryFn: ({ pageParam, signal }) => call(dashboardList, { body: { Search, After: pageParam }, signal }),
    initialPageParam: null as { Name: string; Id: number } | null,
    getNextPageParam: ({ Items, HasMore }) => {
      const last = Items.at(-1);
      return HasMore && last ? { Name: last.Name, Id: last.Id } : null;
    },
    placeholderData: keepPreviousData,
  });
  const pages = query.data?.pages;
  const items = useMemo(() => pages?.flatMap(({ Items }) => Items) ?? NO_ITEMS, [pages]);
  const make = <Button icon={<Add />} intent="primary" text={t('New dashboard')} onClick={() => setMaking(true)} />;
  return (
    <Page title={t('Dashboards')} actions={make}>
      {!pages && query.error && <FailureState error={query.error} onRetry={() => void query.refetch()} />}
      {!pages && !query.error && <Skeleton kind="grid" />}
      {pages && items.length === 0 && Search === '' && (
        <EmptyState title={t('No dashboards yet')}>
          {t(
            'A dashboard shows the results of your activities at a glance: latest values and trends, tables, plots, and outcomes.',
          )}
        </EmptyState>
      )}
      {pages && (items.length > 0 || Search !== '') && (
        <>
          <div className="rs-bar">
            <SearchField label={t('Search dashboards')} value={typed} onChange={setTyped} />
          </div>
          <DataGrid
            label={t('Dashboards')}
            rows={items}
            columns={COLUMNS}
            empty={t('No dashboards match the search')}
            sortable={false}
            maxRows={20}
            onRowClick={({ Id }) => void navigate(`/dashboards/${Id}`)}
            more={query}
          />
        </>
      )}
      {isMaking && <NewDashboard onClose={() => setMaking(false)} />}
    </Page>
  );
}

const TOUCHED = [dashboardList] as const;

/** Creates an empty dashboard of the given name. */
const createDashboard = () =>
  createSender<string, ResultOf<typeof saveDashboard>>({
    create: (Name, headers) => call(saveDashboard, { body: { Id: null, Revision: 0, Name, Tiles: [] }, headers }),
    change: ({ Id, Revision }, Name) => call(saveDashboard, { body: { Id, Revision, Name, Tiles: [] } }),
  });

function NewDashboard({ onClose }: { onClose: () => void }) {
  const [Name, setName] = useState('');
  const [isTried, setTried] = useState(false);
  const { isBusy, change, failure } = useFormChange(TOUCHED);
  const navigate = useNavigateWhileHere();
  const [create] = useState(createDashboard);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    if (Name.trim() === '') return;
    await change(async () => {
      const { Id } = await create(Name);
      void navigate(`/dashboards/edit/${Id}`);
    }, t('Dashboard created'));
  };
  return (
    <Dialog isOpen title={t('New dashboard')} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <DialogBody>
          <TextField
            label={t('Name')}
            required
            maxLength={DASHBOARD_NAME_MAX}
            value={Name}
            onChange={setName}
            error={isTried && Name.trim() === '' ? t('Enter a name') : null}
          />
          <ErrorSummary {...failure} />
        </DialogBody>
        <FormDialogFooter text={t('Create dashboard')} isBusy={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
