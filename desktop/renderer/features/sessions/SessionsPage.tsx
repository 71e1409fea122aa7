import { Button, Tag } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { clientName } from '#shared/codecs/client-name.ts';
import { listOwnSessions, type OwnSession } from '#shared/contract/own-sessions.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { t } from '#renderer/language/translate.ts';
import { formatDayTime } from '#renderer/ui/format-date.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { EndSessionsDialog, type Ending } from './EndSessionsDialog.tsx';

/** /sessions: where the user is signed in. */
export function SessionsPage() {
  const query = useQuery(queryOf(listOwnSessions));
  const [ending, setEnding] = useState<Ending | null>(null);
  const hasOthers = query.data?.Items.some(({ IsCurrent }) => !IsCurrent) ?? false;
  const columns = useMemo(() => {
    const all = sessionColumns((session) => setEnding({ session }));
    return hasOthers ? all : all.filter(({ isActions }) => !isActions);
  }, [hasOthers]);
  return (
    <Page
      title={t('Sessions')}
      description={t('Where you are signed in. End sessions that you do not recognize, and then change your password.')}
    >
      <QueryStates query={query}>
        {({ Items }) => (
          <>
            <DataGrid label={t('Sessions')} rows={Items} columns={columns} empty={t('No results to display')} />
            <div className="rs-form-actions">
              <Button text={t('End all others')} disabled={!hasOthers} onClick={() => setEnding('others')} />
              <Button text={t('Log out on all devices')} onClick={() => setEnding('all')} />
            </div>
          </>
        )}
      </QueryStates>
      <EndSessionsDialog ending={ending} close={() => setEnding(null)} />
    </Page>
  );
}

/** An assistant has said its name itself. */
const programOf = ({ Client, IsAssistant }: OwnSession): string => (IsAssistant ? Client : clientName(Client));

function sessionColumns(ask: (session: OwnSession) => void): GridColumn<OwnSession>[] {
  const nameOf = (session: OwnSession): string => `${programOf(session)}${session.IsCurrent ? t(' (this one)') : ''}`;
  return [
    {
      key: 'Client',
      title: t('Program'),
      width: 240,
      text: nameOf,
      render: (session) => (
        <span title={session.Client}>
          {/* Before the name, which the assistant chose and which may be long. */}
          {session.IsAssistant && <Tag minimal>{t('assistant')}</Tag>} {programOf(session)}{' '}
          {session.IsCurrent && <Tag minimal>{t('this session')}</Tag>}
        </span>
      ),
    },
    // Placed beside the name, so that it is visible on small screens too.
    {
      key: 'actions',
      title: '',
      width: 90,
      isActions: true,
      text: () => '',
      render: (session) =>
        session.IsCurrent ? null : (
          <Button
            size="small"
            text={t('End')}
            aria-label={t('End the session of {clientName} since {createdTime}', {
              clientName: programOf(session),
              createdTime: formatDayTime(session.CreatedTime),
            })}
            onClick={() => ask(session)}
          />
        ),
    },
    { key: 'Address', title: t('Address'), width: 180, text: ({ Address }) => Address },
    { key: 'CreatedTime', title: t('Signed in'), width: 150, text: ({ CreatedTime }) => formatDayTime(CreatedTime) },
    { key: 'LastUsedTime', title: t('Last used'), width: 150, text: ({ LastUsedTime }) => formatDayTime(LastUsedTime) },
  ];
}
