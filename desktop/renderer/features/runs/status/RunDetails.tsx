import type { ActivityRun } from '#shared/contract/runs.ts';
import { engineInWords } from '#renderer/features/versions/fidelity-text.ts';
import { formatDayTime, formatDuration } from '#renderer/ui/format-date.ts';
import { t } from '#renderer/language/translate.ts';
import { countText, LogEntries } from './LogList.tsx';
import { Panel } from '#renderer/ui/Panel.tsx';
import { isOver } from './run-watch.ts';
import { TimeLine } from './TimeLine.tsx';

/** True if a run has ended in any other way than with complete success. */
export const hasProblem = (run: ActivityRun): boolean => isOver(run) && run.Status !== 'Succeeded';

/**
 * Phases, log and technical facts of a run: one line, which is open while the run is pending and after something went
 * wrong. In that case the log comes first.
 */
export function RunDetails({ run }: { run: ActivityRun }) {
  const isWrong = hasProblem(run);
  const log = run.LogEntries.length > 0 && (
    <section className="rs-run-log" aria-label={t('Log')}>
      <h3>{t('Log')}</h3>
      <LogEntries runId={run.Id} entries={run.LogEntries} isGrowing={!isOver(run)} />
    </section>
  );
  return (
    <Panel
      title={t('Details')}
      name="details"
      isInitiallyOpen={!isOver(run) || isWrong}
      isAlwaysPrinted={false}
      summary={summaryOf(run)}
    >
      {isWrong && log}
      <TimeLine run={run} />
      <Facts run={run} />
      {!isWrong && log}
    </Panel>
  );
}

function summaryOf({ QueueTime, EndTime, LogEntries: entries }: ActivityRun): string {
  const parts = [
    EndTime === null
      ? ''
      : t('took {duration}', { duration: formatDuration(Date.parse(EndTime) - Date.parse(QueueTime)) }),
    countText(entries),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

function Facts({ run }: { run: ActivityRun }) {
  const { Id, ActivityVersion, Type, QueueTime, StartTime, EndTime, Fidelity } = run;
  const facts: [string, string | null][] = [
    [t('Run number'), String(Id)],
    [t('Version'), String(ActivityVersion)],
    [t('Type'), Type === 'Workbook' ? t('Workbook') : t('Stored procedure')],
    [t('Calculated with'), Fidelity?.Engine === undefined ? null : engineInWords(Fidelity.Engine)],
    [t('Queued'), formatDayTime(QueueTime, true)],
    [t('Started'), StartTime && formatDayTime(StartTime, true)],
    [t('Ended'), EndTime && formatDayTime(EndTime, true)],
  ];
  return (
    <dl className="rs-facts rs-run-facts">
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
