import { Tag } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useParams } from 'react-router-dom';
import { alertFiring, seeAlertFiring, type AlertFiringDetails } from '#shared/contract/alert-firings.ts';
import { notifications } from '#shared/contract/notifications.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient, queryOf } from '#renderer/api/queries.ts';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { rich, said, t } from '#renderer/language/translate.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { StatusTag } from '#renderer/ui/StatusTag.tsx';
import { DateText } from '#renderer/ui/texts.tsx';

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
    <Page title={t('Alert')} number={query.data?.AlertName} narrow>
      <QueryStates query={query} kind="form">
        {(firing) => <Firing firing={firing} />}
      </QueryStates>
    </Page>
  );
}

function Firing({ firing }: { firing: AlertFiringDetails }) {
  const { Name, Message, Time, Status, IsTest, SeenTime, SeenByFullName } = firing;
  return (
    <Card title={Name}>
      <p>
        {IsTest && <Tag minimal>{t('Test')}</Tag>} {said(Message)}
      </p>
      {Status !== null && (
        <p>
          <StatusTag status={Status} />
        </p>
      )}
      <p className="rs-muted">
        {SeenTime === null
          ? rich('Fired {time}', { time: <DateText value={Time} /> })
          : rich('Fired {time}, seen {seenTime} by {name}', {
              time: <DateText value={Time} />,
              seenTime: <DateText value={SeenTime} />,
              name: SeenByFullName,
            })}
      </p>
      <LinkButton to={pathOf(firing)} intent="primary" text={isOfRun(firing) ? t('Open the run') : t('Open')} />
    </Card>
  );
}

const isOfRun = ({ ActivityRunId, ChecklistRunId }: AlertFiringDetails): boolean =>
  ActivityRunId !== null || ChecklistRunId !== null;

function pathOf({ ActivityRunId, ChecklistRunId, ActivityId, ChecklistId }: AlertFiringDetails): string {
  if (ActivityRunId !== null) return `/activities/runstatus/${ActivityRunId}/`;
  if (ChecklistRunId !== null) return `/checklists/runstatus/${ChecklistRunId}/`;
  return ActivityId === null ? `/checklists/runhistory/${ChecklistId}/` : `/activities/${ActivityId}`;
}
