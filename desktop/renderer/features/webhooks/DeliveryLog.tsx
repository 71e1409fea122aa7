import { Button, Dialog, DialogBody, DialogFooter, HTMLSelect, Tag, type Intent } from '@blueprintjs/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  deliveryDetails,
  listDeliveries,
  redeliver,
  sendWaiting,
  type Delivery,
  type DeliveryDetails,
  type DeliveryStatus,
} from '#shared/contract/webhooks.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, pagesInterval, queryOf } from '#renderer/api/queries.ts';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { said, t } from '#renderer/language/translate.ts';
import { formatDayTime } from '#renderer/ui/format-date.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { DELIVERY_TEXTS, eventText } from './webhook-texts.ts';

const INTERVAL = 3_000;
const TOUCHED = [listDeliveries, deliveryDetails] as const;
const INTENTS: Record<DeliveryStatus, Intent> = { Waiting: 'warning', Delivered: 'success', GivenUp: 'danger' };

const answerText = ({ StatusCode, Error }: Pick<Delivery, 'StatusCode' | 'Error'>): string =>
  Error === null ? String(StatusCode ?? '') : said(Error);

function StatusMark({ status }: { status: DeliveryStatus }) {
  return (
    <Tag minimal intent={INTENTS[status]}>
      {DELIVERY_TEXTS[status]}
    </Tag>
  );
}

const COLUMNS: GridColumn<Delivery>[] = [
  { key: 'CreateTime', title: t('Time'), width: 140, text: (row) => formatDayTime(row.CreateTime) },
  { key: 'Event', title: t('Event'), width: 150, text: (row) => eventText(row.Event) },
  {
    key: 'Status',
    title: t('Status'),
    width: 110,
    text: (row) => DELIVERY_TEXTS[row.Status],
    render: (row) => <StatusMark status={row.Status} />,
  },
  { key: 'Attempts', title: t('Attempts'), width: 90, align: 'right', text: (row) => String(row.Attempts) },
  { key: 'Answer', title: t('Last answer'), width: 300, givesWayTo: 120, text: answerText },
  {
    key: 'DueTime',
    title: t('Next attempt'),
    width: 140,
    text: (row) => (row.DueTime === null ? '' : formatDayTime(row.DueTime)),
  },
];

/** Lists deliveries, newest first, with the result of each attempt. */
export function DeliveryLog({ webhookId }: { webhookId: number }) {
  const [status, setStatus] = useState<DeliveryStatus | ''>('');
  const [opened, setOpened] = useState<number | null>(null);
  const query = useInfiniteQuery({
    queryKey: [...keyOf(listDeliveries), webhookId, status],
    queryFn: ({ pageParam, signal }) =>
      call(listDeliveries, {
        params: { id: webhookId },
        query: { ...(pageParam ? { Before: pageParam } : {}), ...(status === '' ? {} : { Status: status }) },
        signal,
        polls: true,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ Items, HasMore }) => (HasMore ? Items.at(-1)!.Id : undefined),
    refetchInterval: pagesInterval(INTERVAL),
  });
  const rows = query.data?.pages.flatMap(({ Items }) => Items) ?? [];
  return (
    <>
      <div className="rs-bar">
        <HTMLSelect
          aria-label={t('Status')}
          value={status}
          options={[{ value: '', label: t('All') }, ...STATUSES]}
          onChange={({ currentTarget: { value } }) => setStatus(value as DeliveryStatus | '')}
        />
        {rows.some(({ Status }) => Status === 'Waiting') && <SendWaiting webhookId={webhookId} />}
      </div>
      {!query.data && query.error && <FailureState error={query.error} onRetry={() => void query.refetch()} />}
      {!query.data && !query.error && <Skeleton kind="grid" />}
      {query.data && (
        <DataGrid
          label={t('Deliveries')}
          rows={rows}
          columns={COLUMNS}
          sortable={false}
          empty={t('Nothing was sent')}
          more={query}
          onRowClick={({ Id }) => setOpened(Id)}
        />
      )}
      {opened !== null && <DeliveryDialog id={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

/** For a receiver that answers again: otherwise it may take hours until the next attempts. */
function SendWaiting({ webhookId }: { webhookId: number }) {
  const { isBusy, change } = useChange(TOUCHED);
  const send = (): void =>
    void change(() => call(sendWaiting, { params: { id: webhookId } }), t('Sending the waiting deliveries'));
  return <Button text={t('Send waiting deliveries now')} loading={isBusy} onClick={send} />;
}

const STATUSES = Object.entries(DELIVERY_TEXTS).map(([value, label]) => ({ value, label }));

function DeliveryDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const query = useQuery({ ...queryOf(deliveryDetails, { params: { id }, polls: true }), refetchInterval: INTERVAL });
  const { isBusy, change } = useChange(TOUCHED);
  const isWaiting = query.data?.Status === 'Waiting';
  const again = (): void =>
    void change(() => call(redeliver, { params: { id } }), isWaiting ? t('Sending it now') : t('Sending it again'));
  return (
    <Dialog isOpen title={t('Delivery')} className="rs-delivery" onClose={onClose}>
      <DialogBody>
        <QueryStates query={query} kind="form">
          {(details) => <DeliveryParts details={details} />}
        </QueryStates>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={t('Close')} onClick={onClose} />
            <Button
              text={isWaiting ? t('Send now') : t('Send again')}
              intent="primary"
              loading={isBusy}
              disabled={!query.data}
              onClick={again}
            />
          </>
        }
      />
    </Dialog>
  );
}

function DeliveryParts({ details }: { details: DeliveryDetails }) {
  return (
    <>
      <p>
        {eventText(details.Event)} <StatusMark status={details.Status} />
      </p>
      <p className="rs-muted">{t('webhook-id: {deliveryKey}', { deliveryKey: details.DeliveryKey })}</p>
      <h2>{t('Sent')}</h2>
      <pre tabIndex={0}>{pretty(details.Body)}</pre>
      <h2>{t('Attempts')}</h2>
      {details.Log.length === 0 && <p className="rs-muted">{t('None yet.')}</p>}
      <ul className="rs-plain-list">
        {details.Log.map((attempt) => (
          <li key={attempt.Time}>
            <DateText value={attempt.Time} /> · {answerText(attempt)} · {attempt.Milliseconds} ms
            {attempt.Answer !== '' && <pre tabIndex={0}>{attempt.Answer}</pre>}
          </li>
        ))}
      </ul>
    </>
  );
}

function pretty(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}
