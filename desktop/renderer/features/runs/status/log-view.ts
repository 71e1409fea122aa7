/** Which entries of a run's log are shown, and what their categories are called. Source: specification of activities, section 8. */
import { FIRST_SYSTEM_STATUS_CODE, LogCategory, type LogEntry } from '#shared/contract/run-status.ts';

const isRootCause = (entry: LogEntry): boolean =>
  entry.Category === LogCategory.Error && entry.StatusCode < FIRST_SYSTEM_STATUS_CODE;

export interface LogView {
  entries: LogEntry[];
  /** Whether a switch 'Show All Errors' has anything to add. */
  hasMore: boolean;
}

/** Where there are errors a person can act on, only they show, until all are asked for. */
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
