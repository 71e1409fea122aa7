import { Add } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useNavigate } from 'react-router-dom';
import { listWebhooks, type Webhook } from '#shared/contract/webhooks.ts';
import { NO_PERMISSION } from '#renderer/api/app-failure.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { useProfile } from '#renderer/app/profile.ts';
import { EnabledMark } from '#renderer/ui/EnabledMark.tsx';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Page } from '#renderer/ui/Page.tsx';
import { EmptyState } from '#renderer/ui/states.tsx';
import { EVENT_TEXTS, webhookPath } from './webhook-texts.ts';

/** /webhooks, for user administrators. */
export function WebhooksPage() {
  const profile = useProfile();
  return (
    <Page
      title={t('Webhooks')}
      description={t('A webhook notifies a program of events in this portal through a signed call.')}
      actions={profile?.IsUserAdmin && <LinkButton to="/webhooks/new" icon={<Add />} text={t('New webhook')} />}
    >
      {profile && !profile.IsUserAdmin && <EmptyState title={NO_PERMISSION} />}
      {profile?.IsUserAdmin && <WebhookList />}
    </Page>
  );
}

const COLUMNS: GridColumn<Webhook>[] = [
  { key: 'Name', title: t('Name'), text: ({ Name }) => Name, to: ({ Id }) => webhookPath(Id), width: 200 },
  { key: 'Url', title: t('Address'), text: ({ Url }) => Url, width: 320, givesWayTo: 160 },
  {
    key: 'Events',
    title: t('Events'),
    width: 280,
    givesWayTo: 140,
    text: (webhook) =>
      EVENT_TEXTS.filter(({ field }) => webhook[field])
        .map(({ text }) => text)
        .join(', '),
  },
  {
    key: 'IsActive',
    title: t('Status'),
    width: 110,
    text: ({ IsActive }) => (IsActive ? t('On') : t('Off')),
    render: ({ IsActive }) => <EnabledMark isOn={IsActive} words={[t('On'), t('Off')]} />,
  },
  {
    key: 'Waiting',
    title: t('Waiting'),
    width: 90,
    align: 'right',
    text: ({ Waiting }) => numberText(Waiting),
    sortValue: ({ Waiting }) => Waiting,
  },
  {
    key: 'GivenUp',
    title: t('Not delivered'),
    width: 100,
    align: 'right',
    text: ({ GivenUp }) => numberText(GivenUp),
    sortValue: ({ GivenUp }) => GivenUp,
  },
];

function WebhookList() {
  const query = useQuery(queryOf(listWebhooks));
  const navigate = useNavigate();
  const open = useCallback(({ Id }: Webhook) => void navigate(webhookPath(Id)), [navigate]);
  return (
    <QueryStates query={query}>
      {({ Items }) => (
        <DataGrid label={t('Webhooks')} rows={Items} columns={COLUMNS} empty={t('No webhooks yet')} onRowClick={open} />
      )}
    </QueryStates>
  );
}
