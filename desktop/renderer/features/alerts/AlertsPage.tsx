import { Button, Tag } from '@blueprintjs/core';
import { Add, Edit, Trash } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link, useLocation, useParams } from 'react-router-dom';
import {
  activityAlerts,
  checklistAlerts,
  deleteAlert,
  testAlert,
  type Alert,
  type AlertFiring,
  type AlertList,
} from '#shared/contract/alerts.ts';
import { call } from '#renderer/api/client.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { said, t } from '#renderer/language/translate.ts';
import { DeleteDialog } from '#renderer/ui/DeleteDialog.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { EmptyState } from '#renderer/ui/states.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { AlertDialog } from './AlertDialog.tsx';
import { conditionText } from './alert-fields.ts';
import { listOf, ownerPath, type AlertOwner } from './alert-owner.ts';
import './alerts.css';

const TOUCHED = [activityAlerts, checklistAlerts] as const;
const INTERVAL = 5_000;

/** /activities/alerts/{id} and /checklists/alerts/{id} */
export function AlertsPage() {
  const id = Number(useParams()['id']);
  const kind = useLocation().pathname.startsWith('/checklists') ? 'checklists' : 'activities';
  if (!Number.isSafeInteger(id) || id <= 0) return <NotFoundPage />;
  return <AlertsOf key={`${kind} ${id}`} owner={{ kind, id }} />;
}

/** The alert that is being edited; 'new' for a new alert. */
type Edited = Alert | 'new' | null;

function AlertsOf({ owner }: { owner: AlertOwner }) {
  const { id } = owner;
  const query = useQuery({ ...queryOf(listOf(owner), { params: { id }, polls: true }), refetchInterval: INTERVAL });
  const [edited, setEdited] = useState<Edited>(null);
  return (
    <Page
      title={t('Alerts')}
      description={query.data && <Link to={ownerPath(owner)}>{query.data.Name}</Link>}
      actions={
        query.data && <Button icon={<Add />} intent="primary" text={t('New alert')} onClick={() => setEdited('new')} />
      }
    >
      <QueryStates query={query}>
        {(list) => (
          <>
            {list.Items.length === 0 && (
              <EmptyState title={t('No alerts yet')}>
                {t(
                  'An alert notifies people when a run ends with a certain outcome, is late, takes too long, or returns a certain value.',
                )}
              </EmptyState>
            )}
            {list.Items.map((alert) => (
              <AlertCard key={alert.Id} alert={alert} list={list} onEdit={() => setEdited(alert)} />
            ))}
            {edited !== null && (
              <AlertDialog
                owner={owner}
                list={list}
                alert={edited === 'new' ? null : edited}
                onClose={() => setEdited(null)}
              />
            )}
          </>
        )}
      </QueryStates>
    </Page>
  );
}

interface AlertCardProps {
  alert: Alert;
  list: AlertList;
  onEdit: () => void;
}

function AlertCard({ alert, list, onEdit }: AlertCardProps) {
  const { Id, Name, IsActive, Condition, EscalateMinutes, NextReceivers } = alert;
  const { isBusy, change } = useChange(TOUCHED);
  const [isAsking, setAsking] = useState(false);
  const next = receiverTexts(NextReceivers, list);
  return (
    <Card className="rs-alert">
      <div className="rs-alert-head">
        <h2>{Name}</h2>
        {!IsActive && <Tag minimal>{t('Off')}</Tag>}
        <span className="rs-alert-buttons">
          <Button
            size="small"
            text={t('Send a test')}
            aria-label={t('Send a test of {name}', { name: Name })}
            loading={isBusy}
            onClick={() => void change(() => call(testAlert, { params: { id: Id } }), t('Sending a test'))}
          />
          <Button
            size="small"
            icon={<Edit />}
            text={t('Edit')}
            aria-label={t('Edit {name}', { name: Name })}
            onClick={onEdit}
          />
          <Button
            size="small"
            variant="minimal"
            icon={<Trash />}
            aria-label={t('Delete {name}', { name: Name })}
            onClick={() => setAsking(true)}
          />
        </span>
      </div>
      <p>{conditionText(Condition)}</p>
      <p className="rs-muted">
        {EscalateMinutes !== null && next.length > 0
          ? t('Notifies {names}; after {minutes, plural, one {# minute} other {# minutes}}, {others}', {
              names: notifiedTexts(alert, list).join(', '),
              minutes: EscalateMinutes,
              others: next.join(', '),
            })
          : t('Notifies {names}', { names: notifiedTexts(alert, list).join(', ') })}
      </p>
      <Firings firings={alert.Firings} />
      <DeleteDialog
        isOpen={isAsking}
        isBusy={isBusy}
        onCancel={() => setAsking(false)}
        onConfirm={() =>
          void change(() => call(deleteAlert, { params: { id: Id } }), t('Alert deleted')).then(
            (isDone) => isDone && setAsking(false),
          )
        }
      >
        {t('Delete the alert “{name}” and its last firings?', { name: Name })}
      </DeleteDialog>
    </Card>
  );
}

function receiverTexts({ Roles, UserIds }: Alert['Receivers'], { Users }: AlertList): string[] {
  const names = new Map(Users.map(({ UserId, UserFullName }) => [UserId, UserFullName]));
  return [
    ...Roles.map((role) => t('role {role}', { role })),
    ...UserIds.map((id) => names.get(id) ?? t('person {id}', { id })),
  ];
}

const notifiedTexts = (alert: Alert, list: AlertList): string[] => [
  ...receiverTexts(alert.Receivers, list),
  ...alert.Webhooks.map(({ Kind, Host }) => `${Kind} (${Host})`),
];

const SHOWN = 3;

function Firings({ firings }: { firings: readonly AlertFiring[] }) {
  const [isExpanded, setExpanded] = useState(false);
  const shown = useMemo(() => (isExpanded ? firings : firings.slice(0, SHOWN)), [firings, isExpanded]);
  if (firings.length === 0) return <p className="rs-muted">{t('It has not fired yet.')}</p>;
  return (
    <>
      <h3>{t('Last firings')}</h3>
      <ul className="rs-plain-list rs-alert-firings">
        {shown.map((firing) => (
          <li key={firing.Id}>
            <DateText value={firing.Time} />
            <span>
              {firing.IsTest && <Tag minimal>{t('Test')}</Tag>}{' '}
              <Link to={`/alerts/firings/${firing.Id}`}>{said(firing.Message)}</Link>
            </span>
            <span className="rs-muted">{outcomeText(firing)}</span>
          </li>
        ))}
      </ul>
      {firings.length > shown.length && (
        <Button
          size="small"
          variant="minimal"
          text={t('Show {firingsCount} more', { firingsCount: firings.length - shown.length })}
          onClick={() => setExpanded(true)}
        />
      )}
    </>
  );
}

function outcomeText({ Told, Delivered, GivenUp, SeenByFullName }: AlertFiring): string {
  const parts = [t('{told} notified', { told: Told })];
  if (Delivered > 0) parts.push(t('{delivered} sent', { delivered: Delivered }));
  if (GivenUp > 0) parts.push(t('{givenUp} not delivered', { givenUp: GivenUp }));
  if (SeenByFullName !== null) parts.push(t('seen by {seenByFullName}', { seenByFullName: SeenByFullName }));
  return parts.join(' · ');
}
