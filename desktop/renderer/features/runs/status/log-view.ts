/**
 * Chooses the visible entries of a run's log and names their categories. Source: specification of activities, section
 * 8.
 */
import { FIRST_SYSTEM_STATUS_CODE, LogCategory, type LogEntry } from '#shared/contract/run-status.ts';

const isRootCause = (entry: LogEntry): boolean =>
  entry.Category === LogCategory.Error && entry.StatusCode < FIRST_SYSTEM_STATUS_CODE;

export interface LogView {
  entries: LogEntry[];
  /** True if a 'Show All Errors' switch would show more entries. */
  hasMore: boolean;
}

/** If the log has errors that the user can act on, only these are shown until all are requested. */
export function visibleLog(entries: readonly LogEntry[], showAll: boolean): LogView {
  const causes = entries.filter(isRootCause);
  const hasMore = causes.length > 0 && causes.length < entries.length;
  return { entries: hasMore && !showAll ? causes : [...entries], hasMore };
}

export type LogKind = 'Information' | 'Warning' | 'Error';

export function logKind(entry: LogEntry): LogKind {
  if (entry.Category <= LogCategory.Information) return 'Information';
  return entry.Category === LogCategory.Warning ? 'Warning' : 'Error';
}

/**
 * Returns the entry that explains best why something went wrong: an error that the user can act on, else the first
 * error, else the first warning. Null if there is none.
 */
export function reasonEntry(entries: readonly LogEntry[]): LogEntry | null {
  return (
    entries.find(isRootCause) ??
    entries.find((entry) => logKind(entry) === 'Error') ??
    entries.find((entry) => logKind(entry) === 'Warning') ??
    null
  );
}
