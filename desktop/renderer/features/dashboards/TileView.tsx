import { Lock } from '@blueprintjs/icons';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { OutcomesData, Tile, TileData, ValuesData } from '#shared/contract/dashboards.ts';
import { formatDayTime } from '#renderer/ui/format-date.ts';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { StatusIcon, statusIntent, statusText } from '#renderer/ui/StatusTag.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { Sparkline } from './Sparkline.tsx';
import { TileTable } from './TileTable.tsx';
import { changeOf, outcomesText, tileTitle } from './tile-texts.ts';
import { singleText } from '#renderer/ui/values/output-values.ts';
import { said, t } from '#renderer/language/translate.ts';

const TilePlot = lazyPart(async () => (await import('./TilePlot.tsx')).TilePlot);

interface TileViewProps {
  tile: Tile;
  /** Undefined until it is fetched. */
  data: TileData | undefined;
  /** True if the content links to its source. False for visitors. */
  isLinked: boolean;
  /** The editor's buttons beside the title. */
  tools?: ReactNode;
}

export function TileView({ tile, data, isLinked, tools }: TileViewProps) {
  const title = tileTitle(tile, data);
  return (
    <section className={`rs-tile rs-tile-of-${tile.Kind.toLowerCase()}`} aria-label={title || t('Text')}>
      {(title !== '' || tools) && (
        <div className="rs-tile-head">
          <h2 title={title}>{title}</h2>
          {tools}
        </div>
      )}
      <div className="rs-tile-body" tabIndex={mayScroll(tile, isLinked) ? 0 : undefined}>
        <Content tile={tile} data={data} isLinked={isLinked} />
      </div>
    </section>
  );
}

/** True if the tile may scroll and has no focusable content. The tile is then focusable itself. */
const mayScroll = ({ Kind }: Tile, isLinked: boolean): boolean =>
  Kind === 'Table' || Kind === 'Text' || (Kind === 'Outcomes' && !isLinked);

function Content({ tile, data, isLinked }: Omit<TileViewProps, 'tools'>) {
  if (tile.Kind === 'Text') return <p className="rs-tile-words">{tile.Text}</p>;
  if (!data) return <p className="rs-muted">{t('Not loaded yet')}</p>;
  if (data.Kind === 'Nothing') {
    return (
      <p className="rs-muted rs-tile-nothing">
        <Lock title={false} /> {said(data.Reason)}
      </p>
    );
  }
  if (data.Kind === 'Approvals') return <Approvals data={data} />;
  if (data.Kind === 'Outcomes') return <Outcomes data={data} isLinked={isLinked} />;
  if (data.Points.length === 0)
    return (
      <p className="rs-muted">
        {data.IsOwn ? t('None of your runs has succeeded yet') : t('No run has succeeded yet')}
      </p>
    );
  if (tile.Kind === 'Table') {
    return (
      <>
        <TileTable data={data} />
        <Source data={data} isLinked={isLinked} />
      </>
    );
  }
  if (tile.Kind === 'Plot') return <TilePlot data={data} lines={tile.H} isLinked={isLinked} />;
  return <LastValue data={data} isLinked={isLinked} />;
}

function LastValue({ data, isLinked }: { data: ValuesData; isLinked: boolean }) {
  const change = changeOf(data);
  const text = singleText(data.Value, data.Info);
  return (
    <>
      <p className={text.length > 14 ? 'rs-tile-value rs-tile-value-long' : 'rs-tile-value'} title={text}>
        {text === '' ? <span className="rs-muted">{t('no value')}</span> : text}
      </p>
      {change && (
        <p className="rs-tile-change">
          {change.direction !== 'same' && <span aria-hidden>{change.direction === 'up' ? '▲ ' : '▼ '}</span>}
          {change.text}
        </p>
      )}
      <Sparkline data={data} />
      <Source data={data} isLinked={isLinked} />
    </>
  );
}

/** The run that the value comes from. */
function Source({ data, isLinked }: { data: ValuesData; isLinked: boolean }) {
  const last = data.Points.at(-1);
  if (!last) return null;
  return (
    <p className="rs-tile-source">
      {isLinked ? (
        <Link to={`/activities/runstatus/${last.Id}/`}>{t('Run {id}', { id: last.Id })}</Link>
      ) : (
        t('Last run')
      )}
      , <DateText value={last.Time} />
      {data.IsOwn && t(', own runs only')}
    </p>
  );
}

function Outcomes({ data, isLinked }: { data: OutcomesData; isLinked: boolean }) {
  const path = data.ActivityId !== null ? '/activities/runstatus' : '/checklists/runstatus';
  const last = data.Runs.at(-1);
  return (
    <>
      <p className="rs-tile-outcomes-text">
        {outcomesText(data)}
        {last && data.Runs.length > 1 && t(', last run: {status}', { status: statusText(last.Status) })}
        {data.IsOwn && t('. Own runs only')}
      </p>
      <ol className="rs-tile-marks" aria-label={t('Outcomes, the newest last')}>
        {data.Runs.map(({ Id, Time, Status }) => {
          const text = t('Run {id}, {time}: {status}', {
            id: Id,
            time: formatDayTime(Time),
            status: statusText(Status),
          });
          const mark = <StatusIcon status={Status} />;
          const className = `rs-tile-mark rs-status-${statusIntent(Status)}`;
          return (
            <li key={Id}>
              {isLinked ? (
                <Link to={`${path}/${Id}/`} className={className} title={text} aria-label={text}>
                  {mark}
                </Link>
              ) : (
                <span className={className} title={text} role="img" aria-label={text}>
                  {mark}
                </span>
              )}
            </li>
          );
        })}
      </ol>
    </>
  );
}

function Approvals({ data }: { data: Extract<TileData, { Kind: 'Approvals' }> }) {
  if (data.Items.length === 0) return <p className="rs-muted">{t('Nothing is waiting for you')}</p>;
  return (
    <ul className="rs-plain-list rs-tile-approvals">
      {data.Items.map(({ Id, Name, ChecklistName, StarterFullName, StartTime }) => (
        <li key={Id}>
          <Link to={`/approvals/${Id}`}>{Name}</Link>
          <span className="rs-muted">
            {ChecklistName}, {StarterFullName}, <DateText value={StartTime} />
          </span>
        </li>
      ))}
      {data.HasMore && (
        <li>
          <Link to="/approvals">{t('All approvals')}</Link>
        </li>
      )}
    </ul>
  );
}
