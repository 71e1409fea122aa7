import { useSyncExternalStore } from 'react';
import type { ConnectionState } from '#bridge/connection.ts';
import { t } from '#renderer/language/translate.ts';
import { bridge } from './bridge.ts';

/** Whether the server can be worked with now. */
export const useConnection = (): ConnectionState =>
  useSyncExternalStore(bridge.connection.onChange, bridge.connection.state);

const REASONS: Record<Exclude<ConnectionState, 'online'>, string> = {
  unreachable: t('The server is not reached'),
  offline: t('This computer has no network'),
  updateNeeded: t('Update needed: the portal has another version than this program'),
};

/** Why what needs the server cannot be done now; null where it can. */
export const reasonOf = (state: ConnectionState): string | null => (state === 'online' ? null : REASONS[state]);

/** For what needs the server: why it is disabled; undefined where it is not, so that it does as a title. */
export function useServerReason(): string | undefined {
  const reason = reasonOf(useConnection());
  return bridge.connection.disables ? (reason ?? undefined) : undefined;
}
