/** The report of a run as a document: its result first, then its inputs, then the facts about it. */
import type { ActivityRun } from '#shared/contract/runs.ts';
import type { PdfDocument, PdfNode } from './pdf-document.ts';
import { outcomeLines, runFacts } from './report-facts.ts';
import { checkCells } from './report-limits.ts';
import { plotNodes } from './report-plot.ts';
import { tableNodes, type ReportMeans } from './report-tables.ts';
import { reportInputs, reportOutputs, type ReportValue } from './report-values.ts';
import { reportWords, type Reader, type ReportWords } from './report-words.ts';
import { createShownCharacters, REPLACEMENT, type ShownCharacters } from './shown-characters.ts';

export interface ReportSource {
  run: ActivityRun;
  reader: Reader;
  /** Ids of the outputs that the person chose to plot; null for the choice of the author of the workbook. */
  plotted: number[] | null;
  /** When the report was requested, ISO 8601. */
  made: string;
}

const MUTED = '#5f6b7c';
/** As on the page of the run: short values are large. */
const FIGURE_SIZES = [
  { longest: 14, fontSize: 18 },
  { longest: 40, fontSize: 12 },
];
const FIGURES_PER_ROW = 3;
/** In points: a third of the page between its margins, so that the values of all rows stand below each other. */
const FIGURE_WIDTH = 167;
/** Texts of this length fit on a page. A line end counts as a line of so many characters. */
const MAX_JOINED_LENGTH = 300;
const LINE_LENGTH = 80;
/** A longer header would reach into the text of the page. */
const MAX_HEADER_LENGTH = 100;

/** Throws a ReportTooLargeError. @param known code points that the font has */
export function runReport({ run, reader, plotted, made }: ReportSource, known: ReadonlySet<number>): PdfDocument {
  const words = reportWords(reader);
  const characters = createShownCharacters(known);
  const means = { words, characters };
  // Plots repeat texts of the tables, whose characters are counted once.
  const forPlots = { words, characters: createShownCharacters(known) };
  const [outputs, inputs] = [reportOutputs(run, words), reportInputs(run, words)];
  checkCells([...outputs, ...inputs]);
  const isPlotted = ({ id, isPlotted: byAuthor }: ReportValue): boolean => plotted?.includes(id) ?? byAuthor;
  const plots = outputs.flatMap((value) =>
    value.table && isPlotted(value) ? plotNodes(value.name, value.table, forPlots) : [],
  );
  const result = outputs.length === 0 ? [muted(words.text('This run has no outputs.'))] : resultNodes(outputs, means);
  const content = [
    ...section(words.text('Outputs'), [...result, ...plots]),
    ...(inputs.length === 0 ? [] : section(words.text('Inputs'), inputNodes(inputs, means))),
    ...section(words.text('About this run'), pairs(runFacts(run, words, made, reader.timeZone), characters)),
  ];
  const top = topNodes(run, means);
  // Last, because only now all texts have been read.
  const note = replacedNote(characters.replaced, words);
  const values = { name: run.Name, version: run.ActivityVersion, id: run.Id };
  const name = characters.of(words.text('{name}, version {version}, run {id}', values));
  return {
    title: name,
    language: reader.language,
    content: [...top, ...note, ...content],
    header: { text: cut(name, MAX_HEADER_LENGTH), fontSize: 8, color: MUTED, margin: [35, 22, 35, 0] },
    footer: (page, pages) => ({
      text: words.text('Page {page} of {pages}', { page, pages }),
      alignment: 'right',
      fontSize: 8,
      color: MUTED,
      margin: [35, 12, 35, 0],
    }),
  };
}

const cut = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length)}…`);

function topNodes(run: ActivityRun, { words, characters }: ReportMeans): PdfNode[] {
  const ended = run.EndTime ?? run.QueueTime;
  const by = words.text('Run by {name}, ended {time}', { name: run.UserFullName, time: words.time(ended) });
  return [
    { text: characters.of(run.Name), fontSize: 18, bold: true },
    { text: characters.of(by), color: MUTED, margin: [0, 2, 0, 4] },
    ...outcomeLines(run, words).map((line): PdfNode => ({ text: characters.of(line), margin: [0, 0, 0, 2] })),
  ];
}

function replacedNote(count: number, words: ReportWords): PdfNode[] {
  if (count === 0) return [];
  const values = { count: words.number(count), mark: REPLACEMENT };
  const text =
    count === 1
      ? '1 character cannot be shown in this PDF file. It is replaced by {mark}. The portal and the Excel file show it.'
      : '{count} characters cannot be shown in this PDF file. They are replaced by {mark}. The portal and the Excel file show them.';
  return [{ text: words.text(text, values), bold: true, margin: [0, 4, 0, 2] }];
}

function resultNodes(values: readonly ReportValue[], means: ReportMeans): PdfNode[] {
  const figures = values.filter(({ kind }) => kind === 'figure');
  const others = values.filter(({ kind }) => kind !== 'figure');
  return [...figureNodes(figures, means.characters), ...inputNodes(others, means)];
}

/** Single values and files as a list, and tables below it. */
function inputNodes(values: readonly ReportValue[], means: ReportMeans): PdfNode[] {
  const listed = values.flatMap(({ name, text, table }): [string, string][] => (table ? [] : [[name, text]]));
  return [
    ...pairs(listed, means.characters),
    ...values.flatMap(({ name, table }) => (table === null ? [] : tableNodes(name, table, means))),
  ];
}

/** Puts short values side by side, and each long one in a separate row. */
function figureNodes(figures: readonly ReportValue[], characters: ShownCharacters): PdfNode[] {
  const rows: PdfNode[][] = [];
  let shared: PdfNode[] | null = null;
  for (const { name, text } of figures) {
    const size = text.includes('\n') ? undefined : FIGURE_SIZES.find(({ longest }) => text.length <= longest);
    const node: PdfNode = {
      width: size ? FIGURE_WIDTH : '*',
      stack: [
        { text: characters.of(name), fontSize: 8, color: MUTED },
        { text: characters.of(text), fontSize: size?.fontSize ?? 9 },
      ],
    };
    if (size && shared && shared.length < FIGURES_PER_ROW) shared.push(node);
    else rows.push((shared = [node]));
    if (!size) shared = null;
  }
  return rows.map((columns) => ({ columns, columnGap: 12, margin: [0, 4, 0, 4] }));
}

const muted = (text: string): PdfNode => ({ text, color: MUTED });

/** A heading stays on the page of what follows it, unless that may need more than one page. */
function section(title: string, nodes: readonly PdfNode[]): PdfNode[] {
  const heading: PdfNode = { text: title, fontSize: 13, bold: true, margin: [0, 12, 0, 4] };
  const [first, ...rest] = nodes;
  if (!first || first.table || textLength(first) > MAX_JOINED_LENGTH) return [heading, ...nodes];
  return [{ unbreakable: true, stack: [heading, first] }, ...rest];
}

const textLength = ({ text = '', stack = [], columns = [] }: PdfNode): number =>
  [...stack, ...columns].reduce(
    (sum, node) => sum + textLength(node),
    text.length + (text.split('\n').length - 1) * LINE_LENGTH,
  );

/** Names and values in two columns. */
const pairs = (rows: readonly (readonly [string, string])[], characters: ShownCharacters): PdfNode[] =>
  rows.map(([name, value]) => ({
    columns: [
      { width: 150, text: characters.of(name), color: MUTED },
      { width: '*', text: characters.of(value) },
    ],
    columnGap: 10,
    margin: [0, 1, 0, 1],
  }));
