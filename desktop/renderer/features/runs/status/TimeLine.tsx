import { formatDuration, formatTime } from '#renderer/ui/format-date.ts';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { t } from '#renderer/language/translate.ts';
import { statusText } from '#renderer/ui/StatusTag.tsx';
import { useNow } from '#renderer/ui/use-now.ts';
import { runPhases } from './time-line.ts';

/** When a run was queued, picked up, started and ended, and how long each phase took: in words and as bars. */
export function TimeLine({ run }: { run: ActivityRun }) {
  const now = useNow(run.EndTime === null);
  const phases = runPhases(run, now);
  const total = phases.reduce((sum, phase) => sum + phase.duration, 0);
  return (
    <div className="rs-time-line">
      <div className="rs-time-line-bar" aria-hidden>
        {phases.map((phase) => (
          <div
            key={phase.key}
            className={`rs-phase-${phase.key}${phase.current ? ' is-current' : ''}`}
            style={{ flexGrow: total > 0 ? phase.duration / total : 1 }}
            title={`${phase.label}: ${formatDuration(phase.duration)}`}
          />
        ))}
      </div>
      <ol aria-label={t('Phases of the run')}>
        {phases.map((phase) => (
          <li key={phase.key} className={`rs-phase-${phase.key}`}>
            <strong>{phase.label}</strong>{' '}
            <span title={new Date(phase.from).toISOString()}>{formatTime(phase.from, true)}</span>
            <span className="rs-muted">
              {phase.current ? t(' for ') : ', '}
              {formatDuration(phase.duration)}
            </span>
          </li>
        ))}
        {run.EndTime && (
          <li className="rs-phase-end">
            <strong>{statusText(run.Status)}</strong> <span title={run.EndTime}>{formatTime(run.EndTime, true)}</span>
            <span className="rs-muted">{t(', {total} in total', { total: formatDuration(total) })}</span>
          </li>
        )}
      </ol>
    </div>
  );
}
