/**
 * Reads and calculates a small workbook with typical content, so that the code is loaded and compiled before a thread's
 * first task.
 */
import type { CalculationModel } from '#server/calculation/engine.ts';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import { createRunsheetEngine } from '#server/calculation/runsheet-engine.ts';

const ROWS = 60;
/** Enough repetitions for functions called per cell to be compiled. */
const TIMES = 3;

/** Formulas of each row; '#' stands for its number. */
const FORMULAS = [
  'B#*2+C#/4-1',
  'IF(B#>30,"large",IF(AND(B#>10,C#&lt;5),"medium","small"))',
  'ROUND(SUM(B$2:B#)*0.19,2)',
  'IFERROR(VLOOKUP(A#,$A$2:$C$61,3,FALSE),0)',
  'INDEX($C$2:$C$61,MATCH(A#,$A$2:$A$61,0))',
  'SUMIFS($B$2:$B$61,$A$2:$A$61,A#,$C$2:$C$61,"&lt;="&amp;C#)+COUNTIF($A$2:$A$61,A#)',
  'SUMPRODUCT(($A$2:$A$61=A#)*$B$2:$B$61)',
  'TEXT(44000+B#,"yyyy-mm-dd")&amp;LEFT(A#,2)&amp;UPPER(TRIM(A#))',
  'DATE(YEAR(44000+B#),MONTH(44000+B#)+1,1)-EOMONTH(44000+B#,0)',
  'MAX(B#:C#)-MIN(B#:C#)+AVERAGE(B#:C#)+ABS(B#)+INT(C#)+MOD(B#,7)',
];

const NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

function sheetXml(): string {
  const rows: string[] = [];
  for (let row = 2; row < ROWS + 2; row += 1) {
    const formulas = FORMULAS.map((formula, at) => {
      const column = String.fromCharCode('D'.charCodeAt(0) + at);
      return `<c r="${column}${row}"><f>${formula.replaceAll('#', String(row))}</f></c>`;
    });
    const text = `<c r="A${row}" t="inlineStr"><is><t>Key ${row % 7}</t></is></c>`;
    const numbers = `<c r="B${row}"><v>${row * 1.5}</v></c><c r="C${row}"><v>${row % 9}</v></c>`;
    rows.push(`<row r="${row}">${text}${numbers}${formulas.join('')}</row>`);
  }
  return `<worksheet xmlns="${NAMESPACE}"><sheetData>${rows.join('')}</sheetData></worksheet>`;
}

const PARTS: Readonly<Record<string, () => string>> = {
  'xl/workbook.xml': () =>
    `<workbook xmlns="${NAMESPACE}" xmlns:r="${RELATIONSHIPS}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': () =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${RELATIONSHIPS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  'xl/worksheets/sheet1.xml': sheetXml,
};

/** Returns the calculated model after a run's changes. */
export function warmUp(): CalculationModel {
  const encoder = new TextEncoder();
  const part = (path: string): Uint8Array | undefined => {
    const text = PARTS[path];
    return text && encoder.encode(text());
  };
  const engine = createRunsheetEngine();
  for (let time = 1; ; time += 1) {
    const base = engine.load(readWorkbook({ paths: Object.keys(PARTS), part }));
    base.recalculate();
    const run = base.copy();
    run.setCells([{ sheet: 0, row: 5, col: 1, value: time }]);
    run.recalculate();
    if (time === TIMES) return run;
    run.dispose();
    base.dispose();
  }
}
