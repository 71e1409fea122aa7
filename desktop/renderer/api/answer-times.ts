/** When the server gave what a page shows: now and then, while it is away, a while ago. */
import type { Query } from '@tanstack/react-query';
import { approvalCount } from '#shared/contract/approvals.ts';
import { draftKey, profile } from '#shared/contract/auth.ts';
import { notifications } from '#shared/contract/notifications.ts';
import { listPluginPages } from '#shared/contract/settings.ts';

const times = new WeakMap<object, number>();

/** @param keptAt ISO 8601, where the answer was kept; null where the server has just given it */
export function noteAnswerTime(answer: unknown, keptAt: string | null): void {
  if (typeof answer !== 'object' || answer === null) return;
  times.set(answer, keptAt === null ? Date.now() : Date.parse(keptAt));
}

/** Of what stands around every page. */
const OF_FRAME = new Set([profile, notifications, approvalCount, listPluginPages, draftKey].map(({ path }) => path));

/** The oldest time among what is on the screen, in milliseconds since 1970; null where nothing of the server is. */
export function oldestAnswerTime(queries: readonly Query[]): number | null {
  const shown = queries.filter((query) => query.isActive() && !OF_FRAME.has(String(query.queryKey[1])));
  const found = shown.flatMap(({ state }) => timesOf(state.data));
  return found.length === 0 ? null : Math.min(...found);
}

/** Lists that go on hold a page for each answer, and some queries an answer beside its headers. */
function timesOf(data: unknown): number[] {
  if (typeof data !== 'object' || data === null) return [];
  const time = times.get(data);
  if (time !== undefined) return [time];
  const { pages, result } = data as { pages?: unknown; result?: unknown };
  return [...(Array.isArray(pages) ? (pages as unknown[]) : []), result].flatMap(timesOf);
}
