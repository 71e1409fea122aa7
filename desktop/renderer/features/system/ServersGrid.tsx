import { Callout } from '@blueprintjs/core';
import { useState } from 'react';
import { drainServer, systemState, type ServerItem } from '#shared/contract/system.ts';
import { call } from '#renderer/api/client.ts';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { t } from '#renderer/language/translate.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { ServerButton } from '#renderer/ui/ServerButton.tsx';
import { missedWithout, SERVER_COLUMNS } from './system-columns.ts';

const TOUCHED = [systemState];

/** Lists the servers, each with a button that drains it or lets it accept runs again. */
export function ServersGrid({ servers }: { servers: ServerItem[] }) {
  const [asked, setAsked] = useState<ServerItem | null>(null);
  const { isBusy, change } = useChange(TOUCHED);
  const set = async ({ ServerId, Name: name }: ServerItem, Drain: boolean): Promise<void> => {
    const done = Drain ? t('{name} no longer accepts runs', { name }) : t('{name} accepts runs again', { name });
    if (await change(() => call(drainServer, { body: { ServerId, Drain } }), done)) setAsked(null);
  };
  const [name, state, ...others] = SERVER_COLUMNS;
  // Placed beside the state, so that it is visible on small screens.
  const drain = drainColumn({ isBusy, drain: setAsked, undo: (server) => void set(server, false) });
  const columns = [name!, state!, drain, ...others];
  const versions = [...new Set(servers.filter(({ IsGone }) => !IsGone).map(({ Version }) => Version))];
  return (
    <>
      {versions.length > 1 && (
        <Callout intent="warning" className="rs-system-versions">
          {t(
            'Servers of different versions are running: {versions}. You cannot publish activities, checklists or workflows until the servers of the older versions are stopped.',
            { versions: versions.join(', ') },
          )}
        </Callout>
      )}
      <DataGrid
        label={t('Servers')}
        rows={servers}
        columns={columns}
        empty={t('No server reports its status')}
        maxRows={10}
      />
      <ConfirmDialog
        isOpen={asked !== null}
        title={t('Drain server')}
        confirmText={t('Drain')}
        isBusy={isBusy}
        onConfirm={() => void (asked && set(asked, true))}
        onCancel={() => setAsked(null)}
      >
        {asked && <DrainText server={asked} servers={servers} />}
      </ConfirmDialog>
    </>
  );
}

interface DrainActions {
  isBusy: boolean;
  drain: (server: ServerItem) => void;
  undo: (server: ServerItem) => void;
}

const drainColumn = ({ isBusy, drain, undo }: DrainActions): GridColumn<ServerItem> => ({
  key: 'actions',
  title: '',
  width: 150,
  givesWayTo: 130,
  isActions: true,
  text: () => '',
  render: (server) => {
    const { Name: name, IsGone, IsDraining, IsDrainAsked } = server;
    // A server that is stopping or gone ignores the request.
    if (IsGone || (IsDraining && !IsDrainAsked)) return null;
    return IsDrainAsked ? (
      <ServerButton
        size="small"
        text={t('Accept runs again')}
        aria-label={t('Let {name} accept runs again', { name })}
        disabled={isBusy}
        onClick={() => undo(server)}
      />
    ) : (
      <ServerButton
        size="small"
        text={t('Drain…')}
        aria-label={t('Drain {name}', { name })}
        disabled={isBusy}
        onClick={() => drain(server)}
      />
    );
  },
});

function DrainText({ server, servers }: { server: ServerItem; servers: readonly ServerItem[] }) {
  const { Name: name, Role } = server;
  const { pools, calls } = missedWithout(server, servers);
  return (
    <>
      <p>
        {Role === 'api'
          ? t('{name} reports to load balancers that it is not ready, so that they send users to other servers.', {
              name,
            })
          : t(
              '{name} no longer accepts runs, starts no schedules and reports to load balancers that it is not ready. The runs that it is working on will finish.',
              { name },
            )}{' '}
        {t('You can undo this. Restarting the server also undoes it.')}
      </p>
      {pools.length > 0 && (
        <p>
          {t('No other server executes the runs of these pools. Until one does, they wait: {pools}.', {
            pools: pools.join(', '),
          })}
        </p>
      )}
      {calls && <p>{t('No other server answers user requests.')}</p>}
    </>
  );
}
