import { Button, Tag } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { clientName } from '#shared/codecs/client-name.ts';
import { endOtherSessions, endOwnSession, listOwnSessions, type OwnSession } from '#shared/contract/own-sessions.ts';
import { call } from '#renderer/api/client.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { signOut } from '#renderer/app/session.ts';
import { QueryStates } from '#renderer/features/administration/QueryStates.tsx';
import { useChange } from '#renderer/features/administration/use-change.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { formatDayTime } from '#renderer/ui/format-date.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { Page } from '#renderer/ui/Page.tsx';

const TOUCHED = [listOwnSessions] as const;

type Asking = { session: OwnSession } | 'others' | 'all';

/** /sessions: where one is signed in. */
export function SessionsPage() {
  const query = useQuery(queryOf(listOwnSessions));
  const [asking, setAsking] = useState<Asking | null>(null);
  const columns = useMemo(() => sessionColumns((session) => setAsking({ session })), []);
  return (
    <Page
      title="Sessions"
      description="Where you are signed in. End what you do not know, and change your password then."
    >
      <QueryStates query={query}>
        {({ Items }) => (
          <>
            <DataGrid label="Sessions" rows={Items} columns={columns} empty="No results to display" />
            <div className="rs-form-actions">
              <Button
                text="End all others"
                disabled={!Items.some(({ IsCurrent }) => !IsCurrent)}
                onClick={() => setAsking('others')}
              />
              <Button text="Log out on all devices" onClick={() => setAsking('all')} />
            </div>
          </>
        )}
      </QueryStates>
      <EndDialog asking={asking} close={() => setAsking(null)} />
    </Page>
  );
}

function EndDialog({ asking, close }: { asking: Asking | null; close: () => void }) {
  const { isBusy, change } = useChange(TOUCHED);
  const end = async (): Promise<void> => {
    if (asking === null) return;
    if (asking === 'all') return signOut({ everywhere: true });
    if (asking === 'others') await change(() => call(endOtherSessions, {}), 'All other sessions have ended');
    else await change(() => call(endOwnSession, { body: { Id: asking.session.Id } }), 'The session has ended');
    close();
  };
  return (
    <ConfirmDialog
      isOpen={asking !== null}
      title="End sessions"
      confirmText={asking === 'all' ? 'Log out' : 'End'}
      intent="danger"
      isBusy={isBusy}
      onCancel={close}
      onConfirm={() => void end()}
    >
      {asking !== null && questionOf(asking)}
    </ConfirmDialog>
  );
}

function questionOf(asking: Asking): string {
  if (asking === 'all') return 'You are logged out here and on every other device.';
  if (asking === 'others') return 'You stay signed in here, and are logged out on every other device.';
  const { Client, Address } = asking.session;
  return `${clientName(Client)}${Address === '' ? '' : ` at ${Address}`} is logged out.`;
}

function sessionColumns(ask: (session: OwnSession) => void): GridColumn<OwnSession>[] {
  const nameOf = ({ Client, IsCurrent }: OwnSession): string =>
    `${clientName(Client)}${IsCurrent ? ' (this one)' : ''}`;
  return [
    {
      key: 'Client',
      title: 'Program',
      width: 240,
      text: nameOf,
      render: (session) => (
        <span title={session.Client}>
          {clientName(session.Client)} {session.IsCurrent && <Tag minimal>this one</Tag>}
        </span>
      ),
    },
    { key: 'Address', title: 'Address', width: 180, text: ({ Address }) => Address },
    { key: 'CreatedTime', title: 'Signed In', width: 150, text: ({ CreatedTime }) => formatDayTime(CreatedTime) },
    { key: 'LastUsedTime', title: 'Last Used', width: 150, text: ({ LastUsedTime }) => formatDayTime(LastUsedTime) },
    {
      key: 'actions',
      title: '',
      width: 70,
      isActions: true,
      text: () => '',
      render: (session) =>
        session.IsCurrent ? null : (
          <Button
            size="small"
            text="End"
            aria-label={`End the session of ${clientName(session.Client)} since ${formatDayTime(session.CreatedTime)}`}
            onClick={() => ask(session)}
          />
        ),
    },
  ];
}
