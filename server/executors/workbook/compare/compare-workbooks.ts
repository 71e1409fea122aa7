/** Lists the differences between two workbooks: sheets, defined names, formulas and constants by cell. */
import { compareNamed, type Described } from '#server/base/compare-named.ts';
import { CellKind } from '#server/calculation/reader/workbook-model.ts';
import type { SheetModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { ERROR_CODES } from '#server/calculation/values/cell-value.ts';
import { formatCell } from '#shared/codecs/cell-address.ts';
import type { CellChange, WorkbookChanges } from '#shared/contract/version-changes.ts';
import { createFormulaTexts } from './formula-texts.ts';
import type { FormulaTexts } from './formula-texts.ts';

/** Maximum number of listed changes of each kind. */
const MAX_LISTED_CHANGES = 1000;
/** Longer texts are truncated. */
const MAX_TEXT_LENGTH = 1000;

/** Matches sheets by name and cells by address: an inserted row therefore changes all cells below it. */
export function compareWorkbooks(before: WorkbookModel, after: WorkbookModel): WorkbookChanges {
  const formulas = new Changes();
  const constants = new Changes();
  const sheets = new Map(before.sheets.map((sheet) => [sheet.name.toLowerCase(), sheet]));
  for (const sheet of after.sheets) {
    const earlier = sheets.get(sheet.name.toLowerCase());
    if (earlier) compareSheets({ model: before, sheet: earlier }, { model: after, sheet }, { formulas, constants });
  }
  return {
    Sheets: compareNamed(before.sheets.map(sheetFields), after.sheets.map(sheetFields)),
    Names: compareNamed(visibleNames(before), visibleNames(after)),
    Formulas: formulas.listed,
    Constants: constants.listed,
    FormulaCount: formulas.count,
    ConstantCount: constants.count,
  };
}

const sheetFields = ({ name, visibility }: SheetModel): Described => ({
  Name: name,
  fields: { Visibility: visibility },
});

function visibleNames({ names, sheets }: WorkbookModel): Described[] {
  return names
    .filter(({ hidden }) => !hidden)
    .map(({ name, sheet, text }) => ({
      Name: sheet === null ? name : `${sheets[sheet]?.name}!${name}`,
      fields: { 'Refers to': `=${text}` },
    }));
}

interface SheetOf {
  model: WorkbookModel;
  sheet: SheetModel;
}

/** The content of a cell. `key` is the same for all cells that a formula was filled into. */
interface Content {
  isFormula: boolean;
  key: string;
  text(row: number, col: number): string;
}

const BLANK: Content = { isFormula: false, key: '', text: () => '' };

function compareSheets(before: SheetOf, after: SheetOf, found: { formulas: Changes; constants: Changes }): void {
  const old = new Cursor(before);
  const now = new Cursor(after);
  while (!old.isDone || !now.isDone) {
    const position = Math.min(old.position, now.position);
    const [Before, After] = [old.takeAt(position), now.takeAt(position)];
    if (Before.key === After.key && Before.isFormula === After.isFormula) continue;
    const kind = Before.isFormula || After.isFormula ? found.formulas : found.constants;
    kind.add(after.sheet.name, Math.floor(position / COLUMNS), position % COLUMNS, Before, After);
  }
}

const COLUMNS = 2 ** 14;

/** Iterates over the cells of a sheet, row by row. */
class Cursor {
  private at = 0;
  private readonly model: WorkbookModel;
  private readonly cells: SheetModel['cells'];
  private readonly texts: FormulaTexts;

  constructor({ model, sheet }: SheetOf) {
    this.model = model;
    this.cells = sheet.cells;
    this.texts = createFormulaTexts(sheet.cells.formulaTable);
  }

  get isDone(): boolean {
    return this.at >= this.cells.count;
  }

  get position(): number {
    return this.isDone ? Infinity : this.cells.rows[this.at]! * COLUMNS + this.cells.cols[this.at]!;
  }

  takeAt(position: number): Content {
    if (this.position !== position) return BLANK;
    const { formulas, kinds, values } = this.cells;
    const at = this.at;
    this.at += 1;
    const formula = formulas[at]!;
    if (formula >= 0) {
      const key = this.texts.key(formula);
      return { isFormula: true, key, text: (row, col) => this.texts.text(formula, row, col) };
    }
    const text = constantText(this.model, kinds[at]!, values[at]!);
    return { isFormula: false, key: text === '' ? '' : `${kinds[at]}:${text}`, text: () => text };
  }
}

function constantText({ strings }: WorkbookModel, kind: number, value: number): string {
  switch (kind) {
    case CellKind.Number:
      return String(value);
    case CellKind.Text:
      return strings[value] ?? '';
    case CellKind.Boolean:
      return value === 1 ? 'TRUE' : 'FALSE';
    case CellKind.Error:
      return ERROR_CODES[value] ?? '';
    default:
      return '';
  }
}

/** Collects changes of one kind, and merges equal changes in adjacent rows of a column. */
class Changes {
  count = 0;
  readonly listed: CellChange[] = [];
  /** The last change in each column of the current sheet. */
  private last = new Map<number, { change: CellChange; key: string; top: number; bottom: number }>();
  private sheet = '';

  add(sheet: string, row: number, col: number, before: Content, after: Content): void {
    this.count += 1;
    if (sheet !== this.sheet) this.last = new Map();
    this.sheet = sheet;
    const key = `${before.isFormula ? '=' : ''}${before.key}\n${after.isFormula ? '=' : ''}${after.key}`;
    const above = this.last.get(col);
    if (above && above.key === key && above.bottom === row - 1) {
      above.bottom = row;
      above.change.Count += 1;
      above.change.Cells = `${formatCell(above.top, col)}:${formatCell(row, col)}`;
      return;
    }
    const [Before, After] = [cut(before.text(row, col)), cut(after.text(row, col))];
    const change = { Sheet: sheet, Cells: formatCell(row, col), Count: 1, Before, After };
    this.last.set(col, { change, key, top: row, bottom: row });
    if (this.listed.length < MAX_LISTED_CHANGES) this.listed.push(change);
  }
}

const cut = (text: string): string => (text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text);
