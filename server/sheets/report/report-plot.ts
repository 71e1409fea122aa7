/** Draws the numbers of a table as lines, like the plots on the page of a run. */
import { LIGHT_COLORS, seriesDash } from '#shared/codecs/plot-lines.ts';
import { columnNumbers, FIRST_PLOTTED, planPlot, type PlotPlan, type ValueTable } from '#shared/codecs/value-table.ts';
import type { PdfNode } from './pdf-document.ts';
import { roundScale, type Scale } from './plot-scale.ts';
import type { ReportMeans } from './report-tables.ts';

/** In points, as wide as the page between its margins. */
const WIDTH = 525;
const HEIGHT = 190;
const LEFT = 75;
const TOP = 8;
const BOTTOM = 20;
const LEGEND_LINE = 13;
const X_LABELS = 5;
const MAX_LABEL_LENGTH = 60;

/** Returns nothing if the table has nothing to plot. */
export function plotNodes(name: string, table: ValueTable, means: ReportMeans): PdfNode[] {
  const plan = planPlot(table);
  if (!plan) return [];
  const { words, characters } = means;
  const shown = plan.series.slice(0, FIRST_PLOTTED);
  const axis = plan.x === null ? words.text('its rows') : table.columns[plan.x]!.title;
  const title = characters.of(words.text('Plot of {label} over {axis}', { label: cut(name), axis: cut(axis) }));
  const rest =
    shown.length < plan.series.length
      ? words.text('The first {shown} of {count} columns', { shown: shown.length, count: plan.series.length })
      : '';
  const heading = rest === '' ? title : `${title} · ${rest}`;
  const svg = plotSvg(table, plan, shown, means);
  return [{ unbreakable: true, stack: [{ text: heading, bold: true, margin: [0, 8, 0, 2] }, { svg }] }];
}

function plotSvg(table: ValueTable, plan: PlotPlan, shown: readonly number[], means: ReportMeans): string {
  const xs =
    plan.x === null ? table.rows.map((_, index) => index + 1) : columnNumbers(table, plan.x).map((x) => x ?? 0);
  const lines = shown.map((col) => columnNumbers(table, col));
  const [lowest, highest] = boundsOf(lines);
  const scale = roundScale(lowest, highest);
  const toX = place(xs[0]!, xs.at(-1)!, LEFT, WIDTH - 6);
  const toY = place(scale.min, scale.max, HEIGHT - BOTTOM, TOP);
  const height = HEIGHT + shown.length * LEGEND_LINE;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}">`,
    ...grid(scale, toY, (value) => means.words.show(value, table.columns[shown[0]!]!.format), means),
    ...xLabels(xs, toX, table, plan, means),
    ...lines.map((line, index) => path(xs, line, toX, toY, index)),
    ...shown.map((col, index) => legend(table.columns[col]!.title, index, means)),
    '</svg>',
  ].join('');
}

type Place = (value: number) => string;

const place =
  (from: number, to: number, start: number, end: number): Place =>
  (value) => {
    const at = start + ((value - from) / (to - from || 1)) * (end - start);
    // The difference of the largest and the smallest doubles is infinite.
    return (Number.isFinite(at) ? at : start).toFixed(1);
  };

function boundsOf(lines: readonly (readonly (number | null)[])[]): [number, number] {
  let [lowest, highest] = [Infinity, -Infinity];
  for (const line of lines) {
    for (const value of line) {
      if (value === null) continue;
      lowest = Math.min(lowest, value);
      highest = Math.max(highest, value);
    }
  }
  return [lowest, highest];
}

function grid({ ticks }: Scale, toY: Place, textOf: (value: number) => string, means: ReportMeans): string[] {
  return ticks.map((tick) => {
    const y = toY(tick);
    const line = `<line x1="${LEFT}" y1="${y}" x2="${WIDTH}" y2="${y}" stroke="#d3d8de" stroke-width="0.5"/>`;
    return line + label(textOf(tick), LEFT - 5, Number(y) + 2.5, 'end', means);
  });
}

/** Labels some of the rows, because a value between two rows need not be one of the column: half a month. */
function xLabels(xs: readonly number[], toX: Place, table: ValueTable, { x }: PlotPlan, means: ReportMeans): string[] {
  const column = x === null ? null : table.columns[x]!;
  const steps = Math.min(X_LABELS, xs.length) - 1;
  const rows = Array.from({ length: steps + 1 }, (_, index) => Math.round((index * (xs.length - 1)) / steps));
  return rows.map((row, index) => {
    const text = column ? means.words.show(xs[row], column.format, column.usage) : means.words.number(xs[row]!);
    const anchor = index === 0 ? 'start' : index === steps ? 'end' : 'middle';
    return label(text, Number(toX(xs[row]!)), HEIGHT - 6, anchor, means);
  });
}

/** A line with gaps where there is no number. Points that would be drawn at the same place are omitted. */
function path(xs: readonly number[], line: readonly (number | null)[], toX: Place, toY: Place, index: number): string {
  const steps: string[] = [];
  let last = '';
  let isApart = true;
  for (const [at, value] of line.entries()) {
    if (value === null) {
      isApart = true;
      continue;
    }
    const point = `${toX(xs[at]!)} ${toY(value)}`;
    if (!isApart && point === last) continue;
    steps.push(`${isApart ? 'M' : 'L'}${point}`);
    last = point;
    isApart = false;
  }
  return `<path d="${steps.join('')}" fill="none" ${strokeOf(index)}/>`;
}

const strokeOf = (index: number): string => {
  const dash = seriesDash(index);
  const dashes = dash.length === 0 ? '' : ` stroke-dasharray="${dash.join(' ')}"`;
  return `stroke="${LIGHT_COLORS[index % LIGHT_COLORS.length]}" stroke-width="1.2"${dashes}`;
};

function legend(title: string, index: number, means: ReportMeans): string {
  const y = HEIGHT + index * LEGEND_LINE + 5;
  const line = `<path d="M${LEFT} ${y}L${LEFT + 28} ${y}" fill="none" ${strokeOf(index)}/>`;
  return line + label(title, LEFT + 34, y + 2.5, 'start', means);
}

const cut = (text: string): string => (text.length <= MAX_LABEL_LENGTH ? text : `${text.slice(0, MAX_LABEL_LENGTH)}…`);

function label(text: string, x: number, y: number, anchor: string, { characters }: ReportMeans): string {
  const shown = escaped(characters.of(cut(text)).replace(/\s+/g, ' '));
  return `<text x="${x}" y="${y}" font-family="Roboto" font-size="7.5" fill="#404854" text-anchor="${anchor}">${shown}</text>`;
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
