import { Button, HTMLSelect } from '@blueprintjs/core';
import { Duplicate } from '@blueprintjs/icons';
import { useState } from 'react';
import {
  dashboardDetails,
  dashboardList,
  publishDashboard,
  unpublishDashboard,
  type Dashboard,
} from '#shared/contract/dashboards.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { call } from '#renderer/api/client.ts';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { rich, t } from '#renderer/language/translate.ts';
import { DateText } from '#renderer/ui/texts.tsx';
import { showMessage } from '#renderer/ui/toaster.tsx';

const TOUCHED = [dashboardDetails, dashboardList] as const;
const PERIODS = [
  { value: '7', label: t('for 7 days') },
  { value: '30', label: t('for 30 days') },
  { value: '365', label: t('for a year') },
  { value: '', label: t('until it is revoked') },
];

/** The public link of a dashboard. The server stores only the token's hash, so the link is shown only once. */
export function DashboardLink({ dashboard: { Id, PublicLink, CanPublish } }: { dashboard: Dashboard }) {
  const [token, setToken] = useState<string | null>(null);
  const [period, setPeriod] = useState('30');
  const { isBusy, change } = useChange(TOUCHED);
  const address = token === null ? null : bridge.sharedAddress(`public/dashboards#${token}`);
  const make = (): Promise<boolean> =>
    change(async () => {
      const Days = period === '' ? null : Number(period);
      setToken((await call(publishDashboard, { body: { Id, Days } })).Token);
    }, t('Anyone with the link can see it'));
  const revoke = (): Promise<boolean> =>
    change(async () => {
      await call(unpublishDashboard, { params: { id: Id } });
      setToken(null);
    }, t('The link no longer works'));
  return (
    <section aria-label={t('Public link')}>
      <h3>{t('Public link')}</h3>
      <p className="rs-muted">
        {t(
          'Without signing in, anyone who has the link sees the tiles of activities that everyone may run, just as you see them.',
        )}
      </p>
      {PublicLink && (
        <p>
          {rich('Created by {name}, {time}', {
            name: PublicLink.MadeByFullName,
            time: <DateText value={PublicLink.Time} />,
          })}
          {PublicLink.ExpiryTime !== null &&
            rich(', expires {expiryTime}', { expiryTime: <DateText value={PublicLink.ExpiryTime} /> })}
        </p>
      )}
      {address !== null && (
        <p>
          <span className="rs-dashboard-link rs-mono">{address}</span>
          <br />
          <span className="rs-muted">{t('The link is shown only once. Copy it now.')}</span>
        </p>
      )}
      <div className="rs-bar">
        {address !== null && (
          <Button icon={<Duplicate title={false} />} text={t('Copy link')} onClick={() => void copy(address)} />
        )}
        {CanPublish && (
          <>
            <HTMLSelect
              aria-label={t('How long the link is valid')}
              value={period}
              options={PERIODS}
              onChange={({ currentTarget: { value } }) => setPeriod(value)}
            />
            <Button
              text={PublicLink ? t('Replace the link') : t('Create public link')}
              disabled={isBusy}
              onClick={() => void make()}
            />
          </>
        )}
        {PublicLink && <Button intent="danger" text={t('Revoke')} disabled={isBusy} onClick={() => void revoke()} />}
      </div>
    </section>
  );
}

async function copy(address: string): Promise<void> {
  if (await bridge.copyText(address)) showMessage(t('Copied'));
}
