import { PopoverNext } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { showCell, type CellLocation } from '#shared/contract/run-cells.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf } from '#renderer/api/queries.ts';
import { said, t } from '#renderer/language/translate.ts';
import { cellsInText } from './cells-in-text.ts';

/** A log line. Cells that it names open a view of their content. */
export function LineWithCells({ runId, text }: { runId: number; text: string }) {
  return cellsInText(text).map(({ text: part, cell }, index) =>
    // oxlint-disable-next-line react/no-array-index-key -- a line does not change
    cell ? <CellLink key={index} runId={runId} location={cell} text={part} /> : <span key={index}>{part}</span>,
  );
}

function CellLink({ runId, location, text }: { runId: number; location: CellLocation; text: string }) {
  return (
    <PopoverNext placement="bottom" content={<CellView runId={runId} location={location} />}>
      <button type="button" className="rs-cell-link" aria-haspopup="dialog" title={t('Show the content of the cell')}>
        {text}
      </button>
    </PopoverNext>
  );
}

const textOf = ({ Sheet, Cell }: CellLocation): string =>
  `${/^[\p{L}\p{N}_]+$/u.test(Sheet) ? Sheet : `'${Sheet}'`}!${Cell}`;

/** Shows the formula and value of a cell, and the cells that it reads as links. */
function CellView({ runId, location }: { runId: number; location: CellLocation }) {
  const [way, setWay] = useState<readonly CellLocation[]>([location]);
  const at = way.at(-1)!;
  const { data, error } = useQuery({
    queryKey: [...keyOf(showCell), runId, at],
    queryFn: ({ signal }) => call(showCell, { params: { id: runId }, body: at, signal }),
    staleTime: Infinity,
    retry: false,
  });
  return (
    <div className="rs-cell-view">
      <p>
        {way.map((step, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the same cell may come again on the way
          <span key={index}>
            {index > 0 && ' ← '}
            {index === way.length - 1 ? (
              <strong>{textOf(step)}</strong>
            ) : (
              <button type="button" className="rs-cell-link" onClick={() => setWay(way.slice(0, index + 1))}>
                {textOf(step)}
              </button>
            )}
          </span>
        ))}
      </p>
      {error && <p className="rs-danger-text">{said(toFailure(error).message)}</p>}
      {!data && !error && <p className="rs-muted">{t('Loading…')}</p>}
      {data && (
        <>
          <p>
            {data.Formula === null ? <span className="rs-muted">{t('No formula')}</span> : <code>{data.Formula}</code>}
            {data.Value !== null && (
              <> = {data.Value === '' ? <span className="rs-muted">{t('blank')}</span> : data.Value}</>
            )}
          </p>
          {data.Reads.length > 0 && (
            <ul aria-label={t('Cells that it reads')}>
              {data.Reads.map((read) => {
                const first = { Sheet: read.Sheet, Cell: read.Cells.split(':')[0]! };
                return (
                  <li key={`${read.Sheet}!${read.Cells}`}>
                    <button type="button" className="rs-cell-link" onClick={() => setWay([...way, first])}>
                      {textOf({ ...first, Cell: read.Cells })}
                    </button>
                    {read.Value !== null && <span className="rs-muted"> {read.Value || t('blank')}</span>}
                  </li>
                );
              })}
            </ul>
          )}
        </>
      )}
    </div>
  );
}
