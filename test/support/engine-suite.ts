/** The requirements for every engine behind the interface: one suite that runs on each engine. */
import { describe, expect, it } from 'vitest';
import { formatCell, parseBlock, parseCell } from '#shared/codecs/cell-address.ts';
import { CalculationError } from '#server/calculation/engine.ts';
import type { CalculationEngine, CalculationModel } from '#server/calculation/engine.ts';
import { cellError, CellError } from '#server/calculation/values/cell-value.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { buildModel } from '#server/calculation/testing/build-model.ts';
import type { TestCell, TestWorkbook } from '#server/calculation/testing/build-model.ts';

/** Known differences of an engine from Excel. */
export interface EngineTraits {
  /**
   * Different results by formula; null if the formula is not tested. A function is called once the engine exists;
   * undefined means no difference.
   */
  differs?: Record<string, CellValue | (() => CellValue | undefined)>;
  /** Results of some versions of the engine; other versions return Excel's result. */
  mayDiffer?: Record<string, CellValue>;
  /** Constants that the engine cannot represent exactly, as String() writes them. */
  inexact?: readonly string[];
  /** True if dynamic arrays fill more than one cell. */
  spills: boolean;
  /** True if the engine supports LET and LAMBDA, including in names. */
  lambdas: boolean;
}

export interface EngineTools {
  load: (book: TestWorkbook) => CalculationModel;
  /** Returns the value of a formula in D4 of a sheet with these cells. */
  result: (formula: string, cells?: Record<string, TestCell>, rest?: Partial<TestWorkbook>) => CellValue;
}

/** Returns the value of a cell such as 'B7' on the first or another sheet; errors as their code. */
export function read(model: CalculationModel, address: string, sheet = 0): CellValue {
  const { row, col } = parseCell(address)!;
  const value = model.value(sheet, row, col);
  return value instanceof CellError ? value.code : value;
}

export function engineTools(engine: () => CalculationEngine): EngineTools {
  const load = (book: TestWorkbook): CalculationModel => {
    const model = engine().load(buildModel(book));
    model.recalculate();
    return model;
  };
  return {
    load,
    result(formula, cells = {}, rest = {}) {
      const model = load({ ...rest, sheets: { Sheet1: { ...cells, D4: formula }, ...rest.sheets } });
      const value = read(model, 'D4');
      model.dispose();
      return value;
    },
  };
}

/** `engine` is called when a test first needs the engine. */
export function testEngine(engine: () => CalculationEngine, traits: EngineTraits): void {
  const tools = engineTools(engine);
  testConstants(tools, traits);
  testFormulas(tools, traits);
  describe('sheets, names, tables and hidden rows', () => testSheets(tools, traits));
  describe('arrays', () => testArrays(tools, traits));
  testUse(tools, engine);
  testTables(tools);
}

function testConstants({ load }: EngineTools, { inexact = [] }: EngineTraits): void {
  describe('constants arrive as what they are', () => {
    const values: CellValue[] = [
      0.1 + 0.2,
      1e-7,
      -1.5e-300,
      1e21,
      1.7976931348623157e308,
      5e-324,
      123456789012345680,
      '1/2',
      '=A1',
      'TRUE',
      '',
      "'x",
      '12 %',
      '1E5',
      'https://example.com',
      'two\nlines',
      true,
      false,
      cellError('#N/A')!,
      cellError('#NULL!')!,
    ];
    it.each(values.filter((value) => !inexact.includes(String(value))).map((value) => [String(value), value] as const))(
      '%j',
      (_, value) => {
        const model = load({ sheets: { Sheet1: { A1: { constant: value }, A2: '=A1' } } });
        for (const address of ['A1', 'A2']) {
          expect(read(model, address)).toEqual(value instanceof CellError ? value.code : value);
        }
        model.setCells([{ sheet: 0, row: 4, col: 400, value }]);
        model.recalculate();
        expect(model.value(0, 4, 400)).toEqual(value === '' ? '' : value);
      },
    );
  });
}

/** Returns the accepted results of the engine. */
function accepted(formula: string, excel: CellValue, { differs = {}, mayDiffer = {} }: EngineTraits): CellValue[] {
  const other = differs[formula];
  const only = typeof other === 'function' ? other() : other;
  if (only !== undefined) return [only];
  return formula in mayDiffer ? [excel, mayDiffer[formula]!] : [excel];
}

function testFormulas({ result }: EngineTools, traits: EngineTraits): void {
  const { differs = {} } = traits;
  describe('formulas of files are understood', () => {
    const column = { A1: 1, A2: 2, A3: 3, A4: 4, A5: 5 };
    const asked: [string, CellValue][] = [
      ['-2^2', 4],
      ['1/3', 1 / 3],
      ['DATE(2020,1,31)', 43861],
      ['PMT(0.01,12,100)', -8.884878867834166],
      ['A1:A5', 4],
      ['A1:A5*10', 40],
      ['SUM(A1:A5*1)', 4],
      ['SUMPRODUCT(A1:A5*A1:A5)', 55],
      ['INDEX(A1:A5,2)', 2],
      ['SUM(A1:INDEX(A1:A5,3))', 6],
      ['SUM(A2:INDEX(A:A,A3+1))', 9],
      ['SUM(A1:INDEX(A1:A5,6))', '#REF!'],
      ['SUM(A:A)', 15],
      ['SUM(A1:A3 A2:A9)', 5],
      ['A1:A2 A4:A5', '#NULL!'],
      ['SUM((A1,A3:A4))', 8],
      ['_xlfn.LET(_xlpm.x,2,_xlpm.x*A3)', 6],
      ['_xlfn.LAMBDA(_xlpm.x,_xlpm.x+1)(4)', 5],
      ['SUM(_xlfn._xlws.FILTER(A1:A5,A1:A5>3))', 9],
      ['_xlfn.XLOOKUP(3,A1:A5,A1:A5)', 3],
      ['{7,8;9,10}', 7],
      ['"a"&(A1=1)', 'aTRUE'],
      ['("1"&A1)+2', 13],
      ['(A1+A2)%', 0.03],
      ['-("1"&A1)', -11],
      ['A1=(A2=3)', false],
      ['HYPERLINK("https://example.com","here")', 'here'],
      ['NOSUCHFUNCTION(1)', '#NAME?'],
      ['no_such_name', '#NAME?'],
      ['[1]Sheet1!A1', '#REF!'],
      ['Missing!A1', '#REF!'],
      ['1+', '#NAME?'],
    ];
    it.each(asked.filter(([formula]) => differs[formula] !== null))('%s', (formula, excel) => {
      const value = result(`=${formula}`, column);
      const [expected, ...others] = accepted(formula, excel, traits);
      if (typeof expected === 'number') expect(value).toBeCloseTo(expected, 10);
      else expect([expected, ...others]).toContain(value);
    });
  });
}

type Check = (formula: string, excel: CellValue, cells?: Record<string, TestCell>) => void;

function checkIn(rest: Partial<TestWorkbook>, { result }: EngineTools, traits: EngineTraits): Check {
  return (formula, excel, cells = {}) => {
    const key = formula.slice(1);
    if (traits.differs?.[key] !== null)
      expect(accepted(key, excel, traits), formula).toContain(result(formula, cells, rest));
  };
}

function testSheets(tools: EngineTools, traits: EngineTraits): void {
  const { lambdas } = traits;
  it('sheets of any name, 3-D sums and names, in the workbook and in a sheet', () => {
    const sheets = { "It's": { A1: 10 }, 'B C': { A1: 20 }, Last: { A1: 30, B1: '=local*2' } };
    const rest = {
      sheets,
      names: {
        rate: '0.5',
        up: 'Sheet1!D3',
        all: "'It''s'!$A$1,Last!$A$1",
        'Last!local': "'B C'!$A$1",
        ...(lambdas ? { twice: '_xlfn.LAMBDA(_xlpm.x,_xlpm.x*2)' } : {}),
        circle: 'circle+1',
      },
    };
    const check = checkIn(rest, tools, traits);
    check("=SUM('It''s:Last'!A1)", 60);
    check("='b c'!A1*RATE", 10);
    check('=SUM(all)', 40);
    check('=Last!B1', 40);
    check('=Last!local', 20);
    if (lambdas) check('=twice(4)', 8);
    check('=INDIRECT("Last!local")', 20);
    check('=INDIRECT("rate")', '#REF!');
    check('=circle', '#NUM!');
    // Relative to the cell that uses the name: in its definition at A1, D3 is three columns to the right and two rows
    // down.
    check('=up', 77, { G6: 77 });
  });
  it('tables by all their specifiers', () => {
    const rest = {
      tables: [{ name: 'Sales', sheet: 'Sheet1', block: 'A3:B6', totals: true, columns: ['Qty', 'Unit [#] price'] }],
    };
    const cells = { A3: 'Qty', B3: 'Unit [#] price', A4: 2, B4: 10, A5: 3, B5: 20, A6: 5, B6: 30 };
    const check = checkIn(rest, tools, traits);
    check('=SUM(sales[Qty])', 5, cells);
    check("=Sales[[#This Row],[Unit '['#'] price]]*2", 20, cells);
    check('=Sales[[#Totals],[Qty]]', 5, cells);
    check('=Sales[[#Headers],[Qty]]', 'Qty', cells);
    check('=ROWS(Sales[#All])', 4, cells);
    check('=SUM(Sales[])', 35, cells);
    check('=Sales[Nothing]', '#REF!', cells);
    check('=Sales[Qty]', 2, cells);
  });
  it('SUBTOTAL(109) skips hidden rows', () => {
    const rest = { hiddenRows: { Sheet1: [1] } };
    const check = checkIn(rest, tools, traits);
    check('=SUBTOTAL(109,A1:A3)', 5, { A1: 1, A2: 2, A3: 4 });
  });
}

function testArrays({ load }: EngineTools, { spills }: EngineTraits): void {
  it.runIf(spills)('array formulas and spills do not trip over the results saved with them', () => {
    const model = load({
      sheets: {
        Sheet1: {
          A1: 1,
          A2: 2,
          B1: { formula: '=A1:A2*2', kind: 'array', block: 'B1:B2' },
          B2: 99,
          C1: { formula: '=A1:A2*3', kind: 'dynamicArray', block: 'C1:C2' },
          C2: 99,
          D1: '=SUM(_xlfn.ANCHORARRAY(C1))',
        },
      },
    });
    expect(model.values(0, parseBlock('B1:D2')!)).toEqual([
      [2, 3, 9],
      [4, 6, null],
    ]);
    expect(model.spillBlock(0, 0, 2)).toEqual(parseBlock('C1:C2'));
    expect(model.spillBlock(0, 0, 3)).toBeNull();
  });
}

function testUse({ load }: EngineTools, engine: () => CalculationEngine): void {
  describe('a loaded workbook in use', () => {
    it('copies are independent, and an input changes what depends on it', () => {
      const original = load({ sheets: { Sheet1: { A1: 1, A2: '=A1*("1"&A1)', A3: '=A2+1' } } });
      const copy = original.copy();
      copy.setCells([
        { sheet: 0, row: 0, col: 0, value: 3 },
        { sheet: 0, row: 2, col: 0, value: 'text' },
      ]);
      copy.recalculate();
      original.recalculate();
      expect([read(copy, 'A2'), read(copy, 'A3')]).toEqual([39, 'text']);
      expect([read(original, 'A2'), read(original, 'A3')]).toEqual([11, 12]);
    });

    it('a circular reference is refused by name, and gone with its formula', () => {
      const model = engine().load(buildModel({ sheets: { Data: { A1: '=B1', B1: '=A1+1', C1: '=5' } } }));
      expect(() => model.recalculate()).toThrow(/Data!(A1|B1)/);
      expect(() => model.recalculate()).toThrow(expect.objectContaining({ code: 'circular' }));
      model.setCells([{ sheet: 0, row: 0, col: 0, value: 1 }]);
      model.recalculate();
      expect(read(model, 'B1')).toBe(2);
    });

    it('a chain of ten thousand cells that is read from its end is calculated', () => {
      const cells: Record<string, TestCell> = { A1: '=C10000', B1: '=Other!A2000' };
      const other: Record<string, TestCell> = { A1: 1 };
      cells['C1'] = 1;
      for (let row = 2; row <= 10_000; row += 1) {
        cells[`C${row}`] = `=C${row - 1}+1`;
        if (row <= 2000) other[`A${row}`] = `=SUM(A$1:A${row - 1})/${row - 1}+1`;
      }
      const model = load({ sheets: { Sheet1: cells, Other: other } });
      expect(read(model, 'A1')).toBe(10_000);
      expect(read(model, 'B1')).toBeGreaterThan(1);
      model.dispose();
    });
  });
}

function testTables({ load }: EngineTools): void {
  describe('tables grow and shrink', () => {
    const book: TestWorkbook = {
      sheets: {
        Sheet1: {
          A1: 'Qty',
          B1: 'Price',
          C1: 'Sum',
          A2: 1,
          B2: 10,
          C2: '=T[[#This Row],[Qty]]*T[[#This Row],[Price]]',
          A3: 2,
          B3: 20,
          C3: '=T[[#This Row],[Qty]]*T[[#This Row],[Price]]',
          A4: 'Total',
          C4: '=SUBTOTAL(109,T[Sum])',
          E1: '=SUM(T[Sum])',
          E2: '=SUM(C2:C3)',
          E3: '=SUM(C$1:C$3)',
          E4: '=C4',
          E5: '=SUM(named)',
          E6: '=SUM(C2:C2)',
          E7: '=SUM(Other!A1:A2)',
          E8: '=SUM($A$2:$C$4)',
        },
        Other: { A1: 1, A2: 2, A3: 4, B1: '=SUM(Sheet1!C2:C3)' },
      },
      names: { named: 'Sheet1!$C$2:$C$3' },
      tables: [
        {
          name: 'T',
          sheet: 'Sheet1',
          block: 'A1:C4',
          totals: true,
          columns: ['Qty', 'Price', { name: 'Sum', calculatedFormula: 'T[[#This Row],[Qty]]*T[[#This Row],[Price]]' }],
        },
      ],
    };
    const results = (model: CalculationModel): CellValue[] => [
      ...[1, 2, 3, 4, 5, 6, 7].map((row) => read(model, formatCell(row - 1, 4))),
      read(model, 'B1', 1),
    ];

    it('longer: columns are filled, totals move, references follow', () => {
      const model = load(book);
      expect(results(model)).toEqual([50, 50, 50, 50, 50, 10, 3, 50]);
      const copy = model.copy();
      copy.resizeTable('t', 4);
      expect(copy.tableBlock('T')).toEqual(parseBlock('A1:C6'));
      copy.setCells([
        { sheet: 0, row: 3, col: 0, value: 3 },
        { sheet: 0, row: 3, col: 1, value: 30 },
        { sheet: 0, row: 4, col: 0, value: 4 },
        { sheet: 0, row: 4, col: 1, value: 40 },
      ]);
      copy.recalculate();
      expect([read(copy, 'A4'), read(copy, 'C4'), read(copy, 'C5'), read(copy, 'A6'), read(copy, 'C6')]).toEqual([
        3,
        90,
        160,
        'Total',
        300,
      ]);
      expect(results(copy)).toEqual([300, 300, 300, 300, 300, 10, 3, 300]);
      expect(results(model)).toEqual([50, 50, 50, 50, 50, 10, 3, 50]);
      copy.resizeTable('T', 1);
      copy.recalculate();
      expect(results(copy)).toEqual([10, 10, 10, 10, 10, 10, 3, 10]);
      expect(copy.values(0, parseBlock('A3:C6')!)).toEqual([
        ['Total', null, 10],
        [null, null, null],
        [null, null, null],
        [null, null, null],
      ]);
    });

    it('not over other cells, tables or the end of the sheet', () => {
      const model = load({
        ...book,
        sheets: { ...book.sheets, Sheet1: { ...book.sheets['Sheet1'], B9: 'in the way' } },
      });
      const before = results(model);
      expect(() => model.resizeTable('T', 7)).toThrow(/Sheet1!B9/);
      expect(() => model.resizeTable('T', 2_000_000)).toThrow(CalculationError);
      expect(() => model.resizeTable('T', 0)).toThrow(CalculationError);
      expect(() => model.resizeTable('U', 3)).toThrow(CalculationError);
      model.recalculate();
      expect(results(model)).toEqual(before);
      model.resizeTable('T', 6);
    });
  });
}
