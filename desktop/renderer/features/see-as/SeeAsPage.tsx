import { Callout } from '@blueprintjs/core';
import { EyeOpen } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useParams } from 'react-router-dom';
import { seeAs, type SeenPortal } from '#shared/contract/see-as.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { t } from '#renderer/language/translate.ts';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { SeenMenu } from './SeenMenu.tsx';
import { seenRows, type SeenRow } from './seen-rows.ts';
import './see-as.css';

/** /seeas/{id}: the menus, activities and actions of a user. Nothing can be changed here. */
export function SeeAsPage() {
  const id = Number(useParams()['id']);
  return Number.isSafeInteger(id) && id > 0 ? <SeeAs key={id} id={id} /> : <NotFoundPage />;
}

function SeeAs({ id }: { id: number }) {
  // Each fetch is recorded, so the page fetches only when somebody opens it.
  const once = { staleTime: Infinity, gcTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false };
  const query = useQuery({ ...queryOf(seeAs, { params: { userId: id } }), ...once });
  const title = query.data ? t('See as {name}', { name: query.data.UserFullName }) : t('See as');
  return (
    <Page title={title}>
      <QueryStates query={query}>{(seen) => <Seen seen={seen} />}</QueryStates>
    </Page>
  );
}

/** Wide enough for most lists of actions. */
const ACTIONS_WIDTH = 800;

function Seen({ seen }: { seen: SeenPortal }) {
  const { UserFullName: name, UserId, IsEnabled, IsUserAdmin, HasTrustedNetworks } = seen;
  const rows = useMemo(() => seenRows(seen), [seen]);
  const columns = useMemo(() => columnsFor(UserId), [UserId]);
  return (
    <>
      <Callout icon={<EyeOpen title={false} />} className="rs-seen-note">
        <p>
          {t(
            'This is what {name} sees. Nothing here acts in their name. The log of security actions records that you opened this view.',
            { name },
          )}
        </p>
        {IsUserAdmin && <p>{t('{name} is an administrator and has every right.', { name })}</p>}
        {HasTrustedNetworks && (
          <p>{t('Outside the trusted networks, {name} sees only what is granted to the internet too.', { name })}</p>
        )}
      </Callout>
      {!IsEnabled && (
        <Callout intent="warning" className="rs-seen-note">
          {t('{name} is disabled and cannot sign in. Once enabled again, {name} sees this.', { name })}
        </Callout>
      )}
      <Card title={t('Menu')}>
        <SeenMenu seen={seen} />
      </Card>
      <Card title={t('Activities')}>
        <DataGrid
          label={t('Activities of {name}', { name })}
          rows={rows}
          columns={columns}
          empty={t('{name} sees no activity.', { name })}
          maxRows={16}
          maxColumnWidth={ACTIONS_WIDTH}
          filterable
        />
      </Card>
    </>
  );
}

const columnsFor = (userId: number): GridColumn<SeenRow>[] => [
  { key: 'Name', title: t('Name'), text: ({ name }) => name, givesWayTo: 140 },
  { key: 'Kind', title: t('Kind'), text: ({ kind }) => kind, width: 110 },
  { key: 'Schema', title: t('Schema'), text: ({ schema }) => schema, givesWayTo: 90 },
  { key: 'Actions', title: t('Actions'), text: ({ actions }) => actions.join(', '), givesWayTo: 240 },
  {
    key: 'Why',
    title: t('Reasons'),
    width: 90,
    sortable: false,
    text: ({ activityId }) => (activityId === null ? '' : t('Why?')),
    to: ({ activityId }) => (activityId === null ? null : `/accessReasons?user=${userId}&activity=${activityId}`),
  },
];
