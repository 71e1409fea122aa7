/**
 * Formulas that business sheets fill down, one per row: ranges that grow or shrink, lookups by several criteria, moving
 * windows. They take time that is quadratic in the rows if an engine rereads each range.
 */
import { randomNumbers, REGIONS } from './sheet.ts';
import type { BenchmarkSheet, Cell } from './sheet.ts';

/**
 * Column A is a code (some occur twice), B an amount with decimals, C a region, D an ascending day and E a whole
 * number. F is the formula and G the negated day.
 */
type Pattern = (row: number, last: number) => string | { formula: string; isArray: true };

/** Marks a formula that is entered with Ctrl+Shift+Enter. */
const array = (formula: string) => ({ formula, isArray: true }) as const;

export const PATTERNS: Record<string, Pattern> = {
  'running total': (row) => `SUM(B$2:B${row})`,
  'total still to come': (row, last) => `SUM(B${row}:B$${last})`,
  'whole numbers to come': (row, last) => `SUM(E${row}:E$${last})`,
  'running balance': (row) => (row === 2 ? 'B2' : `SUM(B$2:B${row})-F${row - 1}`),
  'running maximum': (row) => `MAX(B$2:B${row})`,
  'running average': (row) => `AVERAGE(B$2:B${row})`,
  'running count': (row) => `COUNTA(A$2:A${row})+COUNT(B$2:B${row})`,
  'least still to come': (row, last) => `MIN(B${row}:B$${last})`,
  'share of total': (row, last) => `B${row}/SUM(B$2:B$${last})`,
  'whole column': (row) => `B${row}/SUM(B:B)+COUNT(A:B)+MAX(D:D)`,
  'total to a row found': (row) => `SUM(B$2:INDEX(B:B,${row}))`,
  'how often so far': (row) => `COUNTIF(A$2:A${row},A${row})`,
  'how often from here': (row, last) => `COUNTIF(A${row}:A$${last},A${row})`,
  'how often at all': (row, last) => `COUNTIFS(A$2:A$${last},A${row},C$2:C$${last},C${row})`,
  'greater so far': (row) => `COUNTIF(B$2:B${row},">"&B${row})`,
  'greater at all': (row, last) => `COUNTIF(B$2:B$${last},">"&B${row})`,
  'sum of smaller': (row, last) => `SUMIF(B$2:B$${last},"<="&B${row})`,
  'sum of smaller so far': (row) => `SUMIF(E$2:E${row},"<="&E${row},B$2:B${row})`,
  'region so far': (row) => `SUMIFS(B$2:B${row},C$2:C${row},C${row},D$2:D${row},"<="&D${row})`,
  'region until day': (row, last) => `SUMIFS(B$2:B$${last},C$2:C$${last},C${row},D$2:D$${last},"<="&D${row})`,
  'days between': (row, last) => `COUNTIFS(D$2:D$${last},">="&D${row}-30,D$2:D$${last},"<="&D${row})`,
  'seen before': (row) => `IF(ISNUMBER(MATCH(A${row},A$1:A${row - 1},0)),1,0)`,
  'next of its kind': (row, last) => `IFERROR(MATCH(A${row},A${row + 1}:A$${last + 1},0),0)`,
  'value of the next': (row, last) => `IFERROR(VLOOKUP(A${row},A${row + 1}:B$${last + 1},2,FALSE),0)`,
  'last of its kind': (row) => `IFERROR(LOOKUP(2,1/(A$1:A${row - 1}=A${row}),ROW(A$1:A${row - 1})),0)`,
  rank: (row, last) => `RANK(B${row},B$2:B$${last})+PERCENTRANK(B$2:B$${last},B${row})`,
  'running rank': (row) => `RANK(B${row},B$2:B${row})`,
  'sorted by formula': (_row, last) => `SMALL(B$2:B$${last},ROW()-1)`,
  'sorted by name': (row, last) => `COUNTIF(A$2:A$${last},"<"&A${row})`,
  spread: (row, last) => `(B${row}-AVERAGE(B$2:B$${last}))/STDEV(B$2:B$${last})+MEDIAN(B$2:B$${last})`,
  'moving window': (row) => `AVERAGE(B${Math.max(2, row - 29)}:B${row})`,
  'moving year': (row) => `SUM(B${Math.max(2, row - 364)}:B${row})`,
  'moving by OFFSET': (row) => `SUM(OFFSET(B${row},1-MIN(30,ROW()-1),0,MIN(30,ROW()-1),1))`,
  'by INDIRECT': (row) => `INDIRECT("B"&ROW())+INDIRECT("E${row}")`,
  'days and dates': (row) => `IF(TODAY()>D${row},B${row},0)+B${row}`,
  'nearest price': (row, last) =>
    `IFERROR(VLOOKUP(D${row}-1,D$2:E$${last},1,TRUE),0)+IFERROR(MATCH(B${row},D$2:D$${last},1),0)`,
  'two criteria by INDEX': (row, last) => `INDEX(B$2:B$${last},MATCH(A${row}&C${row},A$2:A$${last}&C$2:C$${last},0))`,
  'by SUMPRODUCT': (row, last) => `SUMPRODUCT((C$2:C$${last}=C${row})*(E$2:E$${last}<=E${row})*B$2:B$${last})`,
  'count by SUMPRODUCT': (row, last) => `SUMPRODUCT(--(A$2:A$${last}=A${row}))`,
  filtered: (row, last) => `SUM(_xlfn._xlws.FILTER(B$2:B$${last},A$2:A$${last}=A${row}))`,
  'smaller, averaged': (row, last) => `IFERROR(AVERAGEIF(B$2:B$${last},"<"&B${row}),0)`,
  'sum between days': (row, last) => `SUMIFS(B$2:B$${last},D$2:D$${last},">="&D${row}-30,D$2:D$${last},"<="&D${row})`,
  'region between days': (row, last) =>
    `SUMIFS(B$2:B$${last},C$2:C$${last},C${row},D$2:D$${last},">="&D${row}-30,D$2:D$${last},"<="&D${row})`,
  'region days counted': (row, last) =>
    `COUNTIFS(C$2:C$${last},C${row},D$2:D$${last},">="&D${row}-30,D$2:D$${last},"<="&D${row})`,
  'open at a day': (row, last) => `COUNTIFS(D$2:D$${last},"<="&D${row},E$2:E$${last},">"&E${row})`,
  'sum open at a day': (row, last) => `SUMIFS(B$2:B$${last},D$2:D$${last},"<="&D${row},E$2:E$${last},">"&E${row})`,
  'rank within region': (row, last) => `COUNTIFS(C$2:C$${last},C${row},B$2:B$${last},">"&B${row})+1`,
  'rank by SUMPRODUCT': (row, last) => `SUMPRODUCT((C$2:C$${last}=C${row})*(B$2:B$${last}>B${row}))+1`,
  'days by SUMPRODUCT': (row, last) => `SUMPRODUCT((D$2:D$${last}>=D${row}-30)*(D$2:D$${last}<=D${row})*B$2:B$${last})`,
  'distinct by SUMPRODUCT': (row, last) => `IF(SUMPRODUCT((A$2:A$${last}=A${row})*(E$2:E$${last}=E${row}))>1,1,0)`,
  'all but its region': (row, last) => `SUMIFS(B$2:B$${last},C$2:C$${last},"<>"&C${row})`,
  'greatest of region': (row, last) => `_xlfn.MAXIFS(B$2:B$${last},C$2:C$${last},C${row})`,
  'least of code': (row, last) => `_xlfn.MINIFS(B$2:B$${last},A$2:A$${last},A${row})`,
  'greatest until day': (row, last) => `_xlfn.MAXIFS(B$2:B$${last},D$2:D$${last},"<="&D${row})`,
  'last day before': (row, last) => `_xlfn.MAXIFS(D$2:D$${last},C$2:C$${last},C${row},D$2:D$${last},"<"&D${row})`,
  'greatest by array': (row, last) => array(`MAX(IF(C$2:C$${last}=C${row},B$2:B$${last}))`),
  'begins with': (row, last) => `COUNTIF(A$2:A$${last},LEFT(A${row},4)&"*")`,
  'sum where it contains': (row, last) => `SUMIF(A$2:A$${last},"*"&RIGHT(A${row},2)&"*",B$2:B$${last})`,
  'last of all': (row, last) => `LOOKUP(2,1/(A$2:A$${last}=A${row}),B$2:B$${last})`,
  'last not blank': (row) => `LOOKUP(2,1/(B$1:B${row}<>""),B$1:B${row})`,
  'filtered and counted': (row, last) =>
    `COUNTA(_xlfn.UNIQUE(_xlfn._xlws.FILTER(E$2:E$${last},A$2:A$${last}=A${row})))`,
  'second of its kind': (row, last) =>
    array(`IFERROR(INDEX(B$2:B$${last},SMALL(IF(A$2:A$${last}=A${row},ROW(A$2:A$${last})-1),2)),0)`),
  'second by AGGREGATE': (row, last) =>
    `IFERROR(INDEX(B$2:B$${last},AGGREGATE(15,6,(ROW(A$2:A$${last})-1)/(A$2:A$${last}=A${row}),2)),0)`,
  'list of its kind': (row, last) => array(`LEN(_xlfn.TEXTJOIN(",",TRUE,IF(A$2:A$${last}=A${row},E$2:E$${last},"")))`),
  'by two, found': (row, last) =>
    array(`INDEX(B$2:B$${last},MATCH(1,(A$2:A$${last}=A${row})*(C$2:C$${last}=C${row}),0))`),
  'next below': (row, last) => `_xlfn.XLOOKUP(B${row}-0.005,B$2:B$${last},B$2:B$${last},0,-1)`,
  'next above': (row, last) => `_xlfn.XLOOKUP(B${row}+0.005,B$2:B$${last},E$2:E$${last},0,1)`,
  'descending match': (row, last) => `MATCH(-D${row},G$2:G$${last},-1)`,
  'last number': (row, last) => `LOOKUP(9.9E+307,B$2:B$${last})+IFERROR(MATCH(B${row},B$2:B$${last},1),0)`,
  'sorted largest': (row, last) => `LARGE(B$2:B$${last},ROWS(B$2:B${row}))`,
  'running median': (row) => `MEDIAN(B$2:B${row})+PERCENTILE(B$2:B${row},0.9)`,
  'quartile of all': (row, last) => `QUARTILE(B$2:B$${last},MOD(ROW(),5))+PERCENTILE(B$2:B$${last},E${row}/100)`,
  'moving median': (row) => `MEDIAN(B${Math.max(2, row - 29)}:B${row})`,
  'moving deviation': (row) => `IFERROR(STDEV(B${Math.max(2, row - 29)}:B${row}),0)`,
  'running deviation': (row) => `IFERROR(STDEV(B$2:B${row}),0)`,
  'running subtotal': (row) => `SUBTOTAL(9,B$2:B${row})+SUBTOTAL(103,A$2:A${row})`,
  'running aggregate': (row) => `AGGREGATE(9,6,B$2:B${row})+AGGREGATE(14,6,B$2:B${row},1)`,
  'visible of region': (row) => `SUBTOTAL(3,A$2:A${row})`,
  'running product': (row) => `SUMPRODUCT(B$2:B${row},E$2:E${row})`,
  'moving by INDIRECT': () => `SUM(INDIRECT("B"&MAX(2,ROW()-29)&":B"&ROW()))`,
  'total by OFFSET': (row) => `SUM(OFFSET(B$2,0,0,ROW()-1,1))+MATCH(A${row},OFFSET(A$2,0,0,ROW()-1,1),0)`,
  regression: (row, last) => `FORECAST(D${row},B$2:B$${last},D$2:D$${last})+CORREL(B$2:B$${last},E$2:E$${last})`,
  chain: (row) => (row === 2 ? 'B2' : `F${row - 1}*0.5+B${row}`),
  'chain from below': (row, last) => (row === last ? `B${row}` : `F${row + 1}*0.5+B${row}`),
  'own columns': (row) => `SUM(A:A)+SUMIF(A:A,A${row},B:B)+MATCH(A${row},A:A,0)`,
  'by names': (row) => `B${row}*Rate${row % 500}+Base`,
  'by table': () => `Orders[[#This Row],[Amount]]*2+SUM(Orders[Amount])`,
  text: (row) => `LEN(SUBSTITUTE(UPPER(C${row})," ","")&TEXT(D${row},"yyyy-mm-dd")&LEFT(A${row},3))+FIND("e",C${row})`,
  'nested conditions': (row) => `IF(B${row}>40,1,IF(B${row}>30,2,IF(B${row}>20,3,IF(AND(B${row}>10,E${row}>50),4,5))))`,
};

/** Builds the sheet of a pattern. Its inputs are ten amounts. */
export function patternSheet(name: string, rows: number): BenchmarkSheet {
  const pattern = PATTERNS[name]!;
  const random = randomNumbers(11);
  const last = rows + 1;
  const data: Cell[][] = [['Code', 'Amount', 'Region', 'Day', 'Whole', 'Result', 'Before']];
  for (let row = 2; row <= last; row += 1) {
    const day = 44_000 + Math.floor(row / 9);
    const formula = pattern(row, last);
    data.push([
      `K${Math.floor(random() * rows * 0.7)}`,
      Math.round(random() * 5000) / 100,
      REGIONS[Math.floor(random() * REGIONS.length)]!,
      day,
      Math.floor(random() * 100),
      typeof formula === 'string' ? { formula } : formula,
      -day,
    ]);
  }
  return {
    sheets: [{ name: 'Data', rows: data }],
    formulas: rows,
    inputs: Array.from({ length: 10 }, (_, index) => ({ row: 1 + Math.floor((index * rows) / 10), col: 1 })),
    checked: [{ sheet: 0, block: { top: 1, left: 5, bottom: rows, right: 5 } }],
    names:
      name === 'by names'
        ? [
            ['Base', 'Data!$B$2'],
            ...Array.from({ length: 500 }, (_, index) => [`Rate${index}`, `Data!$E$${index + 2}/100`] as const),
          ]
        : [],
    isTable: name === 'by table',
  };
}
