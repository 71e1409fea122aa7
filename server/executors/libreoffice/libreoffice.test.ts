import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseBlock } from '#shared/codecs/cell-address.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { buildModel } from '#server/calculation/testing/build-model.ts';
import type { TestCell } from '#server/calculation/testing/build-model.ts';
import { engineTools, read, testEngine } from '#test/support/engine-suite.ts';
import { until } from '#test/support/until.ts';
import { findOffice } from './find-office.ts';
import { createLibreOfficeEngine } from './libreoffice-engine.ts';
import type { LibreOfficeEngine } from './libreoffice-engine.ts';

const program = findOffice('');

describe.skipIf(program === null)(
  `LibreOffice${program === null ? ' (skipped: it is not installed here)' : ''}`,
  () => {
    let engine: LibreOfficeEngine;
    const own = (): LibreOfficeEngine => engine;
    const { load } = engineTools(own);
    const lacks = (name: string): boolean =>
      engine.unsupported(buildModel({ sheets: { Sheet1: { A1: `=_xlfn.${name}(1)` } } })).length > 0;
    /** Functions that later versions introduced: the test asks the installed version whether it has them. */
    const whereLacking = (name: string) => (): CellValue | undefined => (lacks(name) ? '#NAME?' : undefined);
    beforeAll(() => {
      engine = createLibreOfficeEngine(program!);
    });
    afterAll(() => engine.close());

    testEngine(own, {
      spills: false,
      lambdas: false,
      differs: {
        '_xlfn.LET(_xlpm.x,2,_xlpm.x*A3)': whereLacking('LET'),
        '_xlfn.LAMBDA(_xlpm.x,_xlpm.x+1)(4)': '#VALUE!',
        'SUM(_xlfn._xlws.FILTER(A1:A5,A1:A5>3))': whereLacking('FILTER'),
        '_xlfn.XLOOKUP(3,A1:A5,A1:A5)': whereLacking('XLOOKUP'),
        '"a"&(A1=1)': 'a1',
        '[1]Sheet1!A1': '#NAME?',
        circle: '#VALUE!',
        'Missing!A1': '#NAME?',
        '1+': '#VALUE!',
      },
      mayDiffer: {
        'SUM(A1:INDEX(A1:A5,6))': '#VALUE!',
        'A1:A2 A4:A5': '#REF!',
        "SUM('It''s:Last'!A1)": '#NAME?',
      },
    });

    it('names what it lacks, and functions that reach out of the workbook', () => {
      // No LibreOffice version has PIVOTBY yet.
      const cells = { A1: '=_xlfn.PIVOTBY(B1:B2,C1:C2,D1:D2,SUM)+SUM(1)', A2: '=WEBSERVICE("http://localhost/")' };
      const model = buildModel({ sheets: { Sheet1: cells } });
      const lacking = lacks('PIVOTBY') ? ['PIVOTBY'] : [];
      expect(engine.unsupported(model).map(({ name }) => name)).toEqual([...lacking, 'WEBSERVICE']);
      expect(() => engine.load(model)).toThrow(/WEBSERVICE/);
    });

    it('refuses what would come out wrong: arrays whose extent may change, what-if tables', () => {
      const array: TestCell = { formula: '=B1:B2*2', kind: 'dynamicArray', block: 'A1:A2' };
      const whatIf: TestCell = { formula: '=TABLE(A1,)', kind: 'dataTable', block: 'C2:D2' };
      expect(() => load({ sheets: { Sheet1: { A1: array, B1: 1, B2: 2 } } })).toThrow(/Dynamic arrays/);
      expect(() => load({ sheets: { Sheet1: { C2: whatIf } } })).toThrow(/What-if/);
    });

    it('distinguishes TRUE from 1, in arrays too', () => {
      const cells: Record<string, TestCell> = {
        A1: 1,
        B1: '=A1=1',
        B2: '=A1*1',
        B3: '=IF(A1=1,TRUE,0)',
        B4: '=IF(A1=2,TRUE,0)',
        C1: { formula: '=A1:A2*2', kind: 'array', block: 'C1:C2' },
      };
      expect(load({ sheets: { "It's": cells } }).values(0, parseBlock('B1:C4')!)).toEqual([
        [true, 2],
        [1, 0],
        [true, null],
        [0, null],
      ]);
    });

    it('a copy that is given back serves the next one, with the values of the file', () => {
      const model = load({ sheets: { Sheet1: { A1: 1, A2: 'text', A3: true, B1: '=A1+1', B2: '=A2&A3' } } });
      const first = model.copy();
      first.setCells([
        { sheet: 0, row: 0, col: 0, value: 10 },
        { sheet: 0, row: 1, col: 0, value: false },
        { sheet: 0, row: 2, col: 0, value: '' },
      ]);
      first.recalculate();
      expect(read(first, 'B1')).toBe(11);
      first.dispose();
      const second = model.copy();
      second.setCells([{ sheet: 0, row: 1, col: 0, value: 'other' }]);
      second.recalculate();
      expect([read(second, 'A1'), read(second, 'B1'), read(second, 'A3')]).toEqual([1, 2, true]);
      second.dispose();
    });

    it('starts again where the office has died', () => {
      const model = load({ sheets: { Sheet1: { A1: 1, B1: '=A1+1' } } });
      model.setCells([{ sheet: 0, row: 0, col: 0, value: 5 }]);
      for (const pid of officesBelow(process.pid)) process.kill(pid, 'SIGKILL');
      model.recalculate();
      expect(read(model, 'B1')).toBe(6);
    });

    it('is ended where it takes too long', () => {
      const cells: Record<string, TestCell> = {};
      for (let row = 1; row <= 3000; row += 1) cells[`A${row}`] = `=SUMPRODUCT(SIN(ROW($1:$60000)*${row}))`;
      const model = engine.load(buildModel({ sheets: { Sheet1: cells } }));
      expect(() => model.recalculate({ timeLimit: 1500 })).toThrow(expect.objectContaining({ code: 'limit' }));
      expect(read(load({ sheets: { Sheet1: { A1: '=1+1' } } }), 'A1')).toBe(2);
    });

    it('leaves no process and no file behind', async () => {
      const other = createLibreOfficeEngine(program!);
      const before = new Set(officesBelow(process.pid));
      other.unsupported(buildModel({ sheets: { Sheet1: { A1: '=SUM(1)' } } }));
      // Identifies the office by its parent process: other tests may start and end offices at the same time.
      const [office] = officesBelow(process.pid).filter((pid) => !before.has(pid));
      const { folder, pipe } = madeBy(office!);
      expect(existsSync(folder)).toBe(true);
      expect(pipes(pipe)).not.toEqual([]);
      await other.close();
      await until('the folder to be gone', () => !existsSync(folder));
      await until('the pipes to be gone', () => pipes(pipe).length === 0);
    });
  },
);

const pipes = (pipe: string): string[] =>
  ['/tmp', '/var/tmp'].flatMap((folder) => readdirSync(folder)).filter((name) => name.endsWith(`_${pipe}`));

/** The folder and the pipe of a running office. */
function madeBy(pid: number): { folder: string; pipe: string } {
  const line = execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  const [, folder = '', pipe = ''] =
    /UserInstallation=file:\/\/(\S+)\/profile .*--accept=pipe,name=(\w+);/.exec(line) ?? [];
  expect([folder, pipe]).not.toContain('');
  return { folder, pipe };
}

/** Offices that this process started through their keeper scripts. */
function officesBelow(parent: number): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,comm='], { encoding: 'utf8' }).trim().split('\n');
  const processes = lines.map((line) => line.trim().split(/\s+/));
  const below = new Set([parent]);
  for (let isGrowing = true; isGrowing;) {
    const more = processes.filter(([pid, ppid]) => below.has(Number(ppid)) && !below.has(Number(pid)));
    for (const [pid] of more) below.add(Number(pid));
    isGrowing = more.length > 0;
  }
  return processes
    .filter(([pid, , name]) => below.has(Number(pid)) && name === 'soffice.bin')
    .map(([pid]) => Number(pid));
}
