import { useNavigate } from 'react-router-dom';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { formatTime } from '#renderer/ui/format-date.ts';
import { statusText } from '#renderer/ui/StatusTag.tsx';
import { OUTCOME_GROUP_TEXTS, OUTCOME_GROUPS } from './outcome-group.ts';
import type { Bar, Day, PlacedRow } from './timeline-layout.ts';

const TRACK_HEIGHT = 14;
const HOURS = [0, 3, 6, 9, 12, 15, 18, 21];
const HOUR_MS = 3_600_000;

interface TimelineBarsProps {
  rows: readonly PlacedRow[];
  day: Day;
  now: number;
}

const percent = (share: number): string => `${(share * 100).toFixed(3)}%`;

/** The picture of a day. Screen readers and keyboards use the table below, which says the same. */
export function TimelineBars({ rows, day, now }: TimelineBarsProps) {
  const length = day.end - day.begin;
  const present = (now - day.begin) / length;
  return (
    <div className="rs-timeline" aria-hidden="true">
      <ul className="rs-timeline-legend">
        {OUTCOME_GROUPS.map((outcome) => (
          <li key={outcome}>
            <span className={`rs-timeline-mark rs-timeline-${outcome}`} /> {OUTCOME_GROUP_TEXTS[outcome]}
          </li>
        ))}
        <li>
          <span className="rs-timeline-mark rs-timeline-upcoming" /> {t('Scheduled')}
        </li>
      </ul>
      <div className="rs-timeline-rows">
        <div className="rs-timeline-row rs-timeline-hours">
          <span className="rs-timeline-name" />
          <div className="rs-timeline-track">
            {HOURS.map((hour) => (
              <span key={hour} style={{ left: percent((hour * HOUR_MS) / length) }}>
                {formatTime(new Date(day.begin + hour * HOUR_MS))}
              </span>
            ))}
          </div>
        </div>
        {rows.map((row) => (
          <div key={row.key} className="rs-timeline-row">
            <span className="rs-timeline-name" title={row.name} dir="auto">
              {row.name}
            </span>
            <div className="rs-timeline-track" style={{ height: Math.max(1, row.tracks.length) * TRACK_HEIGHT + 6 }}>
              {present >= 0 && present <= 1 && (
                <span className="rs-timeline-now" style={{ left: percent(present) }} title={t('Now')} />
              )}
              {row.tracks.map((track, index) =>
                track.map((bar) => <BarMark key={bar.runs[0]!.Id} bar={bar} top={3 + index * TRACK_HEIGHT} />),
              )}
              {row.upcoming.map(({ share, time }) => (
                <span
                  key={time}
                  className="rs-timeline-mark rs-timeline-upcoming"
                  style={{ left: percent(share) }}
                  title={t('Scheduled for {time}', { time: formatTime(time) })}
                />
              ))}
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}

function BarMark({ bar, top }: { bar: Bar; top: number }) {
  const navigate = useNavigate();
  const [first] = bar.runs;
  if (!first) return null;
  return (
    <span
      className={`rs-timeline-bar rs-timeline-${bar.outcome}`}
      style={{ left: percent(bar.from), width: percent(bar.to - bar.from), top }}
      title={barText(bar)}
      onClick={() => void navigate(`/activities/runstatus/${first.Id}/`)}
    />
  );
}

function barText({ runs }: Bar): string {
  const [first] = runs;
  const last = runs.at(-1);
  if (!first || !last) return '';
  const begin = formatTime(first.StartTime ?? first.QueueTime, true);
  if (runs.length > 1) return t('{count} runs from {time}', { count: numberText(runs.length), time: begin });
  const end = last.EndTime === null ? '…' : formatTime(last.EndTime, true);
  return `${t('Run {id}', { id: first.Id })} · ${statusText(first.Status)} · ${begin} – ${end}`;
}
