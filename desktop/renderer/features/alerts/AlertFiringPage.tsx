import { Tag } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { useParams } from 'react-router-dom';
import { alertFiring, seeAlertFiring, type AlertFiringDetails } from '#shared/contract/alert-firings.ts';
import { notifications } from '#shared/contract/notifications.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient, queryOf } from '#renderer/api/queries.ts';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { rich, said, t } from '#renderer/language/translate.ts';
import { formatDuration } from '#renderer/ui/format-date.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { StatusTag } from '#renderer/ui/StatusTag.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import './alerts.css';

/** /alerts/firings/{id}: the target of links in alert messages. Opening it marks the firing as seen. */
export function AlertFiringPage() {
  const id = Number(useParams()['id']);
  const query = useQuery(queryOf(alertFiring, { params: { id } }));
  const isThere = query.data !== undefined && query.data.SeenTime === null;
  useEffect(() => {
    if (!isThere) return;
    const see = async (): Promise<void> => {
      // Failures are ignored: their only consequence is that the next receivers are notified too.
      await call(seeAlertFiring, { params: { id } }).catch(() => undefined);
      await queryClient.invalidateQueries({ queryKey: keyOf(notifications) });
    };
    void see();
  }, [id, isThere]);
  return (
    <Page title={t('Alert')} number={query.data && alertName(query.data)} narrow>
      <QueryStates query={query} kind="form">
        {(firing) => <Firing firing={firing} />}
      </QueryStates>
    </Page>
  );
}

function Firing({ firing }: { firing: AlertFiringDetails }) {
  const { Name, AlertName, Message, Time, Status, IsTest, SeenTime, SeenByFullName, Facts } = firing;
  return (
    <Card title={Name === '' ? AlertName : Name}>
      <p>
        {IsTest && <Tag minimal>{t('Test')}</Tag>} {said(Message)}
      </p>
      {Status !== null && (
        <p>
          <StatusTag status={Status} />
        </p>
      )}
      {Facts && <FactList facts={Facts} />}
      <p className="rs-muted">
        {SeenTime === null
          ? rich('Fired {time}', { time: <DateText value={Time} /> })
          : rich('Fired {time}, seen {seenTime} by {name}', {
              time: <DateText value={Time} />,
              seenTime: <DateText value={SeenTime} />,
              name: SeenByFullName,
            })}
      </p>
      <div className="rs-bar">
        <LinkButton to={pathOf(firing)} intent="primary" text={isOfRun(firing) ? t('Open the run') : t('Open')} />
        {firing.Scope !== null && <LinkButton to={settingsPath(firing)} text={t('Why am I notified?')} />}
      </div>
    </Card>
  );
}

/** The default rules have no names of their own. */
function alertName({ Scope, AlertName }: AlertFiringDetails): string {
  if (Scope === 'Owner') return t('Failures of what you own');
  return Scope === 'Starter' ? t('Your runs') : AlertName;
}

const settingsPath = ({ Scope }: AlertFiringDetails): string =>
  Scope === 'Owner' || Scope === 'Starter' ? '/notifications/settings' : '/alerts';

function FactList({ facts }: { facts: NonNullable<AlertFiringDetails['Facts']> }) {
  const { Step, Starter, Started, Ended } = facts;
  const duration = Ended === null ? null : formatDuration(Date.parse(Ended) - Date.parse(Started));
  return (
    <dl className="rs-alert-facts">
      {facts.Error !== null && <Fact name={t('Error')}>{said(facts.Error)}</Fact>}
      {Step !== null && <Fact name={t('Step')}>{Step}</Fact>}
      {Starter !== '' && <Fact name={t('Started by')}>{Starter}</Fact>}
      <Fact name={t('Started')}>
        <DateText value={Started} />
      </Fact>
      {Ended !== null && (
        <Fact name={t('Ended')}>
          <DateText value={Ended} />
        </Fact>
      )}
      {duration !== null && <Fact name={t('Duration')}>{duration}</Fact>}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const isOfRun = ({ ActivityRunId, ChecklistRunId }: AlertFiringDetails): boolean =>
  ActivityRunId !== null || ChecklistRunId !== null;

function pathOf({ ActivityRunId, ChecklistRunId, ActivityId, ChecklistId }: AlertFiringDetails): string {
  if (ActivityRunId !== null) return `/activities/runstatus/${ActivityRunId}/`;
  if (ChecklistRunId !== null) return `/checklists/runstatus/${ChecklistRunId}/`;
  if (ActivityId === null && ChecklistId === null) return '/alerts';
  return ActivityId === null ? `/checklists/runhistory/${ChecklistId}/` : `/activities/${ActivityId}`;
}
