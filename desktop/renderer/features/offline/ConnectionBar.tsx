import { Button, Callout } from '@blueprintjs/core';
import { Offline, Refresh, Updated } from '@blueprintjs/icons';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { oldestAnswerTime } from '#renderer/api/answer-times.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { reasonOf, useConnection } from '#renderer/api/connection.ts';
import { t } from '#renderer/language/translate.ts';
import { daysFrom, formatDayTime, formatTime } from '#renderer/ui/format-date.ts';

/** Bar above every page while the server is unreachable. When the server is back, everything shown is refetched. */
export function ConnectionBar() {
  const state = useConnection();
  useFreshAfterReturn();
  const reason = reasonOf(state);
  if (reason === null) return null;
  const isUpdate = state === 'updateNeeded';
  return (
    <Callout
      compact
      intent="warning"
      icon={isUpdate ? <Updated /> : <Offline />}
      className="rs-connection-bar"
      role="status"
    >
      <span>
        <strong>{reason}.</strong>{' '}
        {isUpdate
          ? t('You cannot change or start anything until both have the same version. What you entered is not lost.')
          : t('What you entered is not lost. The page continues automatically when the server is back.')}{' '}
        <AsOf />
      </span>
      {!isUpdate && (
        <Button size="small" icon={<Refresh />} text={t('Try now')} onClick={() => bridge.connection.poll()} />
      )}
    </Callout>
  );
}

/** Refetches queries that failed or became outdated while the server was unreachable. */
function useFreshAfterReturn(): void {
  const queries = useQueryClient();
  useEffect(() => {
    let before = bridge.connection.state();
    return bridge.connection.onChange(() => {
      const now = bridge.connection.state();
      if (now === 'online' && before !== 'online') void queries.invalidateQueries();
      before = now;
    });
  }, [queries]);
}

/** Shows how old the displayed data is. */
function AsOf() {
  const cache = useQueryClient().getQueryCache();
  const find = (): number | null => oldestAnswerTime(cache.getAll());
  const time = useSyncExternalStore((onChange) => cache.subscribe(onChange), find);
  if (time === null) return null;
  const text = daysFrom(time) === 0 ? formatTime(time) : formatDayTime(time);
  return <strong className="rs-as-of">{t('Shown as of {text}.', { text })}</strong>;
}
