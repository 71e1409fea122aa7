import { Button, Callout } from '@blueprintjs/core';
import { Duplicate, Refresh, Trash } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useParams } from 'react-router-dom';
import { listActivities } from '#shared/contract/activities.ts';
import { deleteApiKey, listApiKeys, rotateApiKey, type ApiKey } from '#shared/contract/users.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { call } from '#renderer/api/client.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { t } from '#renderer/language/translate.ts';
import { DeleteDialog } from '#renderer/ui/DeleteDialog.tsx';
import { formatDayTime } from '#renderer/ui/format-date.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { showMessage } from '#renderer/ui/toaster.tsx';
import { NewApiKey, SCOPES } from './NewApiKey.tsx';
import { RotateDialog } from './RotateDialog.tsx';
import './users.css';

const TOUCHED = [listApiKeys] as const;
const timeText = (time: string | null, none: string): string => (time ? formatDayTime(time) : none);

/** /userapikeys/{id}/ */
export function UserApiKeysPage() {
  const id = Number(useParams()['id']);
  return Number.isSafeInteger(id) && id > 0 ? <ApiKeysOf key={id} id={id} /> : <NotFoundPage />;
}

function ApiKeysOf({ id }: { id: number }) {
  const query = useQuery(queryOf(listApiKeys, { params: { id } }));
  const { isBusy, change } = useChange(TOUCHED);
  const [created, setCreated] = useState<string | null>(null);
  const [doomed, setDoomed] = useState<ApiKey | null>(null);
  const [old, setOld] = useState<ApiKey | null>(null);
  const { data: activities } = useQuery(queryOf(listActivities));
  const hasWriters = query.data?.Items.some(isWriting) ?? false;
  const columns = useMemo(() => {
    const names = new Map(activities?.Activities.map(({ Id, Name }) => [Id, Name]));
    return keyColumns({ names, hasWriters }, setOld, setDoomed);
  }, [activities, hasWriters]);
  return (
    <Page
      title={query.data ? t('API keys - {userName}', { userName: query.data.UserName }) : t('API keys')}
      description={t('A program makes calls as this user by sending a key as a bearer token.')}
    >
      <QueryStates query={query}>
        {({ Items }) => (
          <>
            <NewApiKey userId={id} onCreated={setCreated} />
            {created !== null && <CreatedKey value={created} />}
            <DataGrid label={t('API keys')} rows={Items} columns={columns} empty={t('No results to display')} />
          </>
        )}
      </QueryStates>
      <RotateDialog
        key={old?.Key}
        old={old}
        isBusy={isBusy}
        onCancel={() => setOld(null)}
        onConfirm={(KeepHours) => {
          if (!old) return;
          const params = { id, key: old.Key };
          void change(async () => setCreated((await call(rotateApiKey, { params, body: { KeepHours } })).Key)).then(
            (isDone) => isDone && setOld(null),
          );
        }}
      />
      <DeleteDialog
        isOpen={doomed !== null}
        title={t('Delete API key')}
        isBusy={isBusy}
        onCancel={() => setDoomed(null)}
        onConfirm={() => {
          if (!doomed) return;
          const { Key } = doomed;
          void change(() => call(deleteApiKey, { params: { id, key: Key } })).then(
            (isDone) => isDone && setDoomed(null),
          );
        }}
      >
        {t('Programs that use {name} can no longer make calls.', { name: doomed?.Name || doomed?.Key || '' })}
      </DeleteDialog>
    </Page>
  );
}

function CreatedKey({ value }: { value: string }) {
  const copy = async (): Promise<void> => {
    if (await bridge.copyText(value)) showMessage(t('Copied'));
  };
  return (
    <Callout intent="success" icon={null} className="rs-new-key" role="status">
      <p>{t('This is the new key. It is shown only once. Keep it in a safe place.')}</p>
      <div className="rs-bar">
        <code>{value}</code>
        <Button icon={<Duplicate />} text={t('Copy')} onClick={() => void copy()} />
      </div>
    </Callout>
  );
}

function scopeText({ Scope, Activities }: ApiKey, names: ReadonlyMap<number, string>): string {
  return Activities
    ? t('Run {names}', { names: Activities.map((id) => names.get(id) ?? t('activity {id}', { id })).join(', ') })
    : SCOPES[Scope];
}

const isWriting = ({ AssistantWrites = false }: ApiKey): boolean => AssistantWrites;

const assistantColumn = (): GridColumn<ApiKey> => ({
  key: 'AssistantWrites',
  title: t('Assistants'),
  width: 200,
  text: (key) => (isWriting(key) ? t('Change data without asking') : t('Ask before changes')),
});

function keyColumns(
  { names, hasWriters }: { names: ReadonlyMap<number, string>; hasWriters: boolean },
  rotate: (key: ApiKey) => void,
  remove: (key: ApiKey) => void,
): GridColumn<ApiKey>[] {
  return [
    { key: 'Name', title: t('Name'), text: (key) => key.Name, width: 200 },
    { key: 'Key', title: t('Key'), text: (key) => `${key.Key}…`, width: 160 },
    { key: 'Scope', title: t('Scope'), width: 190, text: (key) => scopeText(key, names) },
    ...(hasWriters ? [assistantColumn()] : []),
    { key: 'CreationTime', title: t('Created'), width: 135, text: (key) => formatDayTime(key.CreationTime) },
    { key: 'ExpiryTime', title: t('Expires'), width: 135, text: (key) => timeText(key.ExpiryTime, t('Never')) },
    { key: 'LastUsedTime', title: t('Last used'), width: 135, text: (key) => timeText(key.LastUsedTime, t('Never')) },
    {
      key: 'actions',
      title: '',
      width: 80,
      isActions: true,
      text: () => '',
      render: (key) => (
        <>
          <Button
            size="small"
            variant="minimal"
            icon={<Refresh />}
            title={t('Rotate')}
            aria-label={t('Rotate {name}', { name: key.Name || key.Key })}
            disabled={key.ExpiryTime !== null && Date.parse(key.ExpiryTime) <= Date.now()}
            onClick={() => rotate(key)}
          />
          <Button
            size="small"
            variant="minimal"
            icon={<Trash />}
            title={t('Delete')}
            aria-label={t('Delete {name}', { name: key.Name || key.Key })}
            onClick={() => remove(key)}
          />
        </>
      ),
    },
  ];
}
