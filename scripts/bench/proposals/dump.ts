/**
 * node scripts/bench/proposals/dump.ts FILE…
 * Prints the cells and formulas of workbooks as text, for people who label the inputs and outputs that an author needs.
 */
import { readFileSync } from 'node:fs';
import { Scope } from '#server/calculation/graph/scope.ts';
import { formulaRecords } from '#server/calculation/graph/formula-trees.ts';
import { savedValue } from '#server/calculation/reader/cell-index.ts';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import { CellKind } from '#server/calculation/reader/workbook-model.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import { formatBlock, formatCell } from '#shared/codecs/cell-address.ts';
import { openPackage } from '#server/executors/workbook/package.ts';

const MAX_ROWS_SHOWN = 40;
const MAX_COLS_SHOWN = 9;
const MAX_TEXT = 32;

const numbers = new Map<object, number>();

for (const file of process.argv.slice(2)) {
  console.log(`\n##### ${file}`);
  const model = readWorkbook(await openPackage(readFileSync(file)));
  const names = model.names.filter(({ hidden }) => !hidden).slice(0, 20);
  if (names.length > 0) console.log(`names: ${names.map(({ name, text }) => `${name}=${text}`).join('; ')}`);
  for (const table of model.tables) {
    console.log(`table ${table.name} ${model.sheets[table.sheet]!.name}!${formatBlock(table.block)}`);
  }
  for (const index of model.sheets.keys()) dumpSheet(model, index);
}

function dumpSheet(model: WorkbookModel, index: number): void {
  const { name, visibility, cells, validations } = model.sheets[index]!;
  console.log(`== ${name}${visibility === 'visible' ? '' : ' (hidden)'} ${cells.count} cells`);
  if (validations.length > 0) {
    const shown = validations.slice(0, 12).map(({ type, blocks, formula1 }) => {
      return `${type} ${blocks.slice(0, 3).map(formatBlock).join(',')} ${formula1.slice(0, 40)}`;
    });
    console.log(`validations: ${shown.join('; ')}`);
  }
  const records = formulaRecords(model, new Scope(model))[index]!;
  let previous = '';
  let shownRows = 0;
  let skipped = 0;
  for (let at = 0; at < cells.count;) {
    const row = cells.rows[at]!;
    const texts: string[] = [];
    let signature = '';
    for (; at < cells.count && cells.rows[at] === row; at++) {
      const formula = cells.formulas[at]!;
      if (cells.kinds[at] === CellKind.Blank && formula < 0) continue;
      const value = savedValue(cells, at, model.strings);
      const text = value instanceof CellError ? value.code : String(value).replace(/\s+/g, ' ').slice(0, MAX_TEXT);
      signature += `${cells.cols[at]}${formula < 0 ? cells.kinds[at] : `f${recordNumber(records[formula]!)}`},`;
      if (texts.length >= MAX_COLS_SHOWN) continue;
      const own = formula < 0 ? '' : ` {=${cells.formulaTable[formula]!.text.slice(0, MAX_TEXT)}}`;
      texts.push(`${formatCell(row, cells.cols[at]!)}: ${text}${own}`);
    }
    if (texts.length === 0) continue;
    if (signature === previous && texts.length > 2) {
      if (skipped++ >= 1) continue;
    } else {
      if (skipped > 1) console.log(`   … ${skipped - 1} more similar rows`);
      skipped = 0;
    }
    previous = signature;
    if (++shownRows > MAX_ROWS_SHOWN) {
      console.log('   … further rows');
      return;
    }
    console.log(texts.join(' | '));
  }
  if (skipped > 1) console.log(`   … ${skipped - 1} more similar rows`);
}

function recordNumber(record: object): number {
  let known = numbers.get(record);
  if (known === undefined) numbers.set(record, (known = numbers.size));
  return known;
}
