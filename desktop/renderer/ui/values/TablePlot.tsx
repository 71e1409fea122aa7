import { Checkbox } from '@blueprintjs/core';
import { useCallback, useMemo, useState } from 'react';
import type uPlot from 'uplot';
import { seriesDash } from '#shared/codecs/plot-lines.ts';
import { columnNumbers, FIRST_PLOTTED, type PlotPlan, type ValueTable } from '#shared/codecs/value-table.ts';
import { seriesColor, seriesShape, traceShape } from '#renderer/ui/plot/palette.ts';
import { Plot, useIsDark } from '#renderer/ui/plot/Plot.tsx';
import { ShapeMark } from '#renderer/ui/plot/ShapeMark.tsx';
import { shownValue } from '#renderer/language/shown-value.ts';
import { t } from '#renderer/language/translate.ts';

/** More marks would hide the line, so longer lines have marks only at some points. */
const MAX_MARKED_POINTS = 40;

/** Plots the numbers of a table as lines, distinguished by color, dashes and marks. */
export function TablePlot({ label, table, plan }: { label: string; table: ValueTable; plan: PlotPlan }) {
  // The others can be checked.
  const [shown, setShown] = useState(() => new Set(plan.series.slice(0, FIRST_PLOTTED)));
  const drawn = useMemo(() => plan.series.filter((col) => shown.has(col)), [plan, shown]);
  const data = useMemo((): uPlot.AlignedData => {
    const x =
      plan.x === null
        ? table.rows.map((_, index) => index + 1)
        : columnNumbers(table, plan.x).map((value) => value ?? 0);
    return [x, ...drawn.map((col) => columnNumbers(table, col))];
  }, [table, plan, drawn]);
  const options = useCallback((isDark: boolean) => plotOptions(table, plan, drawn, isDark), [table, plan, drawn]);
  const isDark = useIsDark();
  const toggle = (col: number): void => {
    const next = new Set(shown);
    if (!next.delete(col)) next.add(col);
    setShown(next);
  };
  const summary = drawn.map((col) => describe(table, col)).join(' ');
  return (
    <div className="rs-plot-block">
      <ul className="rs-plot-legend" aria-label={t('Lines of {label}', { label })}>
        {plan.series.map((col, index) => (
          <li key={col}>
            <Checkbox checked={shown.has(col)} onChange={() => toggle(col)}>
              <span className="rs-plot-entry">
                <ShapeMark shape={seriesShape(index)} color={seriesColor(index, isDark)} /> {table.columns[col]!.title}
              </span>
            </Checkbox>
          </li>
        ))}
      </ul>
      <Plot
        label={t('Plot of {label} over {axis}', {
          label,
          axis: plan.x === null ? t('its rows') : table.columns[plan.x]!.title,
        })}
        data={data}
        options={options}
        height={280}
      />
      <p className="rs-plot-summary">{summary}</p>
    </div>
  );
}

function plotOptions(table: ValueTable, plan: PlotPlan, drawn: readonly number[], isDark: boolean) {
  const xColumn = plan.x === null ? null : table.columns[plan.x]!;
  const xText = (value: number): string => (xColumn ? shownValue(value, xColumn.format, xColumn.usage) : String(value));
  const yColumn = drawn.length > 0 ? table.columns[drawn[0]!]! : null;
  return {
    scales: { x: { time: false } },
    axes: [
      {
        values: (_: uPlot, splits: number[]) => splits.map((value) => (Number.isInteger(value) ? xText(value) : '')),
        space: 110,
      },
      {
        values: (_: uPlot, splits: number[]) =>
          splits.map((value) => (yColumn ? shownValue(value, yColumn.format) : '')),
        size: 90,
      },
    ],
    series: [
      {},
      ...drawn.map((col) => {
        const index = plan.series.indexOf(col);
        const stroke = seriesColor(index, isDark);
        return {
          label: table.columns[col]!.title,
          stroke,
          width: 2,
          dash: seriesDash(index),
          points: { show: true, fill: stroke, paths: markPaths(index) },
        };
      }),
    ],
  };
}

/** Draws the marks of a series at its points, in its own shape. */
function markPaths(index: number): uPlot.Series.Points.PathBuilder {
  return (plot, seriesIndex, first, last) => {
    const path = new Path2D();
    const ratio = window.devicePixelRatio;
    const values = plot.data[seriesIndex]!;
    const step = Math.ceil((last - first + 1) / MAX_MARKED_POINTS);
    for (let at = first; at <= last; at += step) {
      const value = values[at];
      if (value === null || value === undefined) continue;
      const x = plot.valToPos(plot.data[0][at]!, 'x', true);
      traceShape(path, seriesShape(index), x, plot.valToPos(value, 'y', true), 3.5 * ratio);
    }
    return { stroke: path, fill: path, flags: 0 };
  };
}

function describe(table: ValueTable, col: number): string {
  const column = table.columns[col]!;
  const values = columnNumbers(table, col).filter((value) => value !== null);
  const text = (value: number): string => shownValue(value, column.format, column.usage);
  const lowest = values.reduce((min, value) => Math.min(min, value), Infinity);
  const highest = values.reduce((max, value) => Math.max(max, value), -Infinity);
  return t('{column}: from {first} to {last}, lowest {lowest}, highest {highest}.', {
    column: column.title,
    first: text(values[0]!),
    last: text(values.at(-1)!),
    lowest: text(lowest),
    highest: text(highest),
  });
}
