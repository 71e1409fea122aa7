import { useSyncExternalStore } from 'react';
import type { ConnectionState } from '#bridge/connection.ts';
import { t } from '#renderer/language/translate.ts';
import { bridge } from './bridge.ts';

/** Returns the current state of the connection to the server. */
export const useConnection = (): ConnectionState =>
  useSyncExternalStore(bridge.connection.onChange, bridge.connection.state);

const REASONS: Record<Exclude<ConnectionState, 'online'>, string> = {
  unreachable: t('The server cannot be reached'),
  offline: t('This computer has no network connection'),
  updateNeeded: t('Update required: the portal and this program have different versions'),
};

/** Returns why features that need the server are unavailable; null if they are available. */
export const reasonOf = (state: ConnectionState): string | null => (state === 'online' ? null : REASONS[state]);

/**
 * Returns why features that need the server are disabled; undefined if they are not, so the value can be used as a
 * title.
 */
export function useServerReason(): string | undefined {
  const reason = reasonOf(useConnection());
  return bridge.connection.disables ? (reason ?? undefined) : undefined;
}
