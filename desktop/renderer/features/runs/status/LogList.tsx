import { Button, Switch } from '@blueprintjs/core';
import { Download, Error as ErrorIcon, InfoSign, WarningSign } from '@blueprintjs/icons';
import { useLayoutEffect, useRef, useState, type UIEvent } from 'react';
import type { LogEntry } from '#shared/contract/run-status.ts';
import { errorReport } from '#shared/contract/runs.ts';
import { call } from '#renderer/api/client.ts';
import { formatTime } from '#renderer/ui/format-date.ts';
import { Card } from '#renderer/ui/Page.tsx';
import { startDownload } from '#renderer/ui/downloads.ts';
import { said, t } from '#renderer/language/translate.ts';
import { LineWithCells } from './CellLink.tsx';
import { logKind, visibleLog, type LogKind } from './log-view.ts';

const ICONS = { Information: InfoSign, Warning: WarningSign, Error: ErrorIcon } as const;
/** Long logs show only their end: more entries would be slow to lay out, and the report contains them anyway. */
const MAX_SHOWN_ENTRIES = 500;

interface LogListProps {
  /** Id of the run, for its Error Report and the cells in the log; null if there is nothing to download. */
  runId: number | null;
  entries: readonly LogEntry[];
  /** While the log grows, its end stays visible unless the user has scrolled up. */
  isGrowing?: boolean;
}

/** The log of a run in a card; nothing if it is empty. */
export function LogList(props: LogListProps) {
  if (props.entries.length === 0) return null;
  return (
    <Card title={t('Log')}>
      <LogEntries {...props} />
    </Card>
  );
}

/** The entries of a log. Each shows its category as an icon, word and color. */
export function LogEntries({ runId, entries, isGrowing = false }: LogListProps) {
  const [showAll, setShowAll] = useState(false);
  const view = visibleLog(entries, showAll);
  const { box, onScroll } = useFollowedEnd(isGrowing, view.entries.length);
  const left = Math.max(0, view.entries.length - MAX_SHOWN_ENTRIES);
  return (
    <>
      <div className="rs-log-tools">
        {view.hasMore && (
          <Switch
            label={t('Show All Errors')}
            checked={showAll}
            onChange={(event) => setShowAll(event.currentTarget.checked)}
          />
        )}
        <span className="rs-muted">{countText(view.entries)}</span>
        {runId !== null && (
          <Button
            size="small"
            icon={<Download />}
            text={t('Error Report')}
            onClick={() => void startDownload(call(errorReport, { params: { id: runId } }))}
          />
        )}
      </div>
      <div
        ref={box}
        className="rs-log"
        tabIndex={0}
        role="region"
        aria-label={t('Log entries')}
        aria-live={isGrowing ? 'polite' : 'off'}
        onScroll={onScroll}
      >
        {left > 0 && (
          <p className="rs-muted">
            {t(
              runId === null
                ? '{count} earlier entries are not shown.'
                : '{count} earlier entries are in the Error Report.',
              { count: left },
            )}
          </p>
        )}
        <ul className={view.entries.some(({ StatusCode }) => StatusCode !== 0) ? undefined : 'rs-log-codeless'}>
          {view.entries.slice(left).map((entry) => (
            <Entry key={entry.Id} runId={runId} entry={entry} />
          ))}
        </ul>
      </div>
    </>
  );
}

/** Maximum distance in pixels at which the list counts as scrolled to its end. */
const AT_END = 8;

function useFollowedEnd(isGrowing: boolean, count: number) {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const element = box.current;
    if (element && count > 0 && isGrowing && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [isGrowing, count]);
  const onScroll = ({ currentTarget: { scrollTop, clientHeight, scrollHeight } }: UIEvent<HTMLElement>): void => {
    isAtEnd.current = scrollTop + clientHeight >= scrollHeight - AT_END;
  };
  return { box, onScroll };
}

function Entry({ runId, entry }: { runId: number | null; entry: LogEntry }) {
  const kind = logKind(entry);
  const Icon = ICONS[kind];
  const text = said(entry.displayMessage || entry.Message);
  return (
    <li className={`rs-log-entry rs-log-${kind}`}>
      <span className="rs-log-kind">
        <Icon size={14} title={false} /> {said(kind)}
      </span>
      <time className="rs-muted" dateTime={entry.Time}>
        {formatTime(entry.Time, true)}
      </time>
      <span className="rs-log-code" title={t('Status code')}>
        {entry.StatusCode !== 0 && entry.StatusCode}
      </span>
      <span className="rs-log-message">{runId === null ? text : <LineWithCells runId={runId} text={text} />}</span>
    </li>
  );
}

export function countText(entries: readonly LogEntry[]): string {
  const count = (kind: LogKind): number => entries.filter((entry) => logKind(entry) === kind).length;
  const [errors, warnings, messages] = [count('Error'), count('Warning'), count('Information')];
  const parts = [
    errors > 0 && t('{count, plural, one {# error} other {# errors}}', { count: errors }),
    warnings > 0 && t('{count, plural, one {# warning} other {# warnings}}', { count: warnings }),
    messages > 0 && t('{count, plural, one {# message} other {# messages}}', { count: messages }),
  ];
  return parts.filter(Boolean).join(', ');
}
