import { Link } from 'react-router-dom';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { formatTime } from '#renderer/ui/format-date.ts';
import { LinkedRuns } from './LinkedRuns.tsx';
import { OUTCOME_GROUPS } from './outcome-group.ts';
import type { PlacedRow } from './timeline-layout.ts';

/** The timeline as a table, closed at first: for screen readers, keyboards, and people who prefer numbers. */
export function TimelineTable({ rows }: { rows: readonly PlacedRow[] }) {
  return (
    <details className="rs-timeline-table">
      <summary>{t('Show the day as a table')}</summary>
      <div className="rs-timeline-scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">{t('Activity')}</th>
              <th scope="col">{t('Runs')}</th>
              <th scope="col">{t('First start')}</th>
              <th scope="col">{t('Outcomes')}</th>
              <th scope="col">{t('Scheduled')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <TableRow key={row.key} row={row} />
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function TableRow({ row: { name, tracks, upcoming } }: { row: PlacedRow }) {
  const bars = tracks.flat();
  const runs = bars.flatMap((bar) => bar.runs).sort((a, b) => a.Id - b.Id);
  const [first] = runs;
  return (
    <tr>
      <th scope="row" dir="auto">
        {name}
      </th>
      <td>{numberText(runs.length)}</td>
      <td>
        {first && (
          <Link to={`/activities/runstatus/${first.Id}/`}>{formatTime(first.StartTime ?? first.QueueTime)}</Link>
        )}
      </td>
      <td>
        {OUTCOME_GROUPS.map((outcome) => (
          <LinkedRuns
            key={outcome}
            outcome={outcome}
            runs={bars.filter((bar) => bar.outcome === outcome).flatMap((bar) => bar.runs)}
          />
        ))}
      </td>
      <td>{upcoming.map(({ time }) => formatTime(time)).join(', ')}</td>
    </tr>
  );
}
