/**
 * Records when the server sent the data that a page shows: usually now, but earlier for stored data shown while the
 * server is unreachable.
 */
import type { Query } from '@tanstack/react-query';
import { approvalCount } from '#shared/contract/approvals.ts';
import { draftKey, profile } from '#shared/contract/auth.ts';
import { notifications } from '#shared/contract/notifications.ts';
import { listPluginPages } from '#shared/contract/settings.ts';

const times = new WeakMap<object, number>();

/** @param storedAt ISO 8601 time of a stored response; null for a fresh one */
export function noteAnswerTime(answer: unknown, storedAt: string | null): void {
  if (typeof answer !== 'object' || answer === null) return;
  times.set(answer, storedAt === null ? Date.now() : Date.parse(storedAt));
}

/** Calls made by the frame around every page. */
const OF_FRAME = new Set([profile, notifications, approvalCount, listPluginPages, draftKey].map(({ path }) => path));

/** Returns the oldest time of the data on screen, in milliseconds since 1970; null if no server data is shown. */
export function oldestAnswerTime(queries: readonly Query[]): number | null {
  const shown = queries.filter((query) => query.isActive() && !OF_FRAME.has(String(query.queryKey[1])));
  const found = shown.flatMap(({ state }) => timesOf(state.data));
  return found.length === 0 ? null : Math.min(...found);
}

/** Infinite lists hold one page per response, and some queries hold a response together with its headers. */
function timesOf(data: unknown): number[] {
  if (typeof data !== 'object' || data === null) return [];
  const time = times.get(data);
  if (time !== undefined) return [time];
  const { pages, result } = data as { pages?: unknown; result?: unknown };
  return [...(Array.isArray(pages) ? (pages as unknown[]) : []), result].flatMap(timesOf);
}
