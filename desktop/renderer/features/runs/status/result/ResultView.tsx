import { useEffect, useMemo, useRef } from 'react';
import { planPlot } from '#shared/codecs/value-table.ts';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { Skeleton } from '#renderer/ui/states.tsx';
import { singleText, valueTable } from '#renderer/ui/values/output-values.ts';
import { SingleValue, ValuesView, type ShownValue } from '#renderer/ui/values/ValuesView.tsx';
import { figureSize, resultParts } from './result-parts.ts';
import type { ChosenPlots } from '#renderer/ui/values/use-chosen-plots.ts';
import './result.css';

const TablePlot = lazyPart(
  async () => (await import('#renderer/ui/values/TablePlot.tsx')).TablePlot,
  <Skeleton kind="grid" />,
);

interface ResultViewProps {
  values: readonly ShownValue[];
  /** Receives the visible rows of each table, by the value's id. */
  chosen?: Map<number, readonly number[] | null>;
  /** Absent if the user cannot choose plots here. */
  plots?: ChosenPlots;
}

/** The outputs of a run: single values as large figures, then tables, then the plots that the user chose. */
export function ResultView({ values, chosen, plots }: ResultViewProps) {
  const { figures, listed, tables } = useMemo(() => resultParts(values), [values]);
  return (
    <>
      {figures.length > 0 && (
        <dl className="rs-figures">
          {figures.map((value) => (
            <Figure key={value.id} value={value} />
          ))}
        </dl>
      )}
      <ValuesView values={[...listed, ...tables]} tone="output" chosen={chosen} plots={plots} />
      {plots &&
        tables
          .filter(({ name }) => plots.isChosen(name))
          .map((value) => <ResultPlot key={value.id} value={value} isNew={plots.isNew(value.name)} />)}
    </>
  );
}

function Figure({ value }: { value: ShownValue }) {
  const { name, description, json, info } = value;
  return (
    <div className={`rs-figure rs-figure-${figureSize(singleText(json, info))}`}>
      <dt title={description || undefined}>{name}</dt>
      <dd>
        <SingleValue value={value} />
      </dd>
    </div>
  );
}

/** Plots a table below all tables; scrolls to it if the user has just chosen it. */
function ResultPlot({ value, isNew }: { value: ShownValue; isNew: boolean }) {
  const { json, info, name } = value;
  const table = useMemo(() => valueTable(json, info, name), [json, info, name]);
  const plan = useMemo(() => planPlot(table), [table]);
  const root = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isNew) root.current?.scrollIntoView({ block: 'nearest' });
  }, [isNew]);
  if (!plan) return null;
  return (
    <section ref={root} className="rs-result-plot" aria-label={name}>
      <h3>{name}</h3>
      <TablePlot label={name} table={table} plan={plan} />
    </section>
  );
}
