import { describe, expect, it } from 'vitest';
import { savingProgram } from './saving-program.ts';
import type { ProgramTraces } from './saving-program.ts';

const NOTHING: ProgramTraces = {
  named: null,
  appName: null,
  isOfGoogle: false,
  workbookPath: 'xl/workbook.xml',
  wpsSheet: null,
};

describe('the program that saved a workbook', () => {
  it.each<[string, Partial<ProgramTraces>, string | null, string]>([
    ['nothing', {}, null, 'docProps/app.xml'],
    ['its name', { named: 'Microsoft Excel', appName: 'xl' }, 'Microsoft Excel', 'docProps/app.xml'],
    [
      'Excel of 2007',
      { named: 'Microsoft Excel', appName: 'Microsoft Office Excel' },
      'Microsoft Excel',
      'docProps/app.xml',
    ],
    ['its namespaces', { isOfGoogle: true }, 'Google Sheets', 'xl/workbook.xml'],
    [
      'a name that contradicts them',
      { named: 'Microsoft Excel', isOfGoogle: true },
      'Microsoft Excel',
      'docProps/app.xml',
    ],
    ['Calc under the name of Excel', { named: 'Microsoft Excel', appName: 'Calc' }, 'LibreOffice', 'xl/workbook.xml'],
    ['Calc under its own name', { named: 'LibreOffice/7.3', appName: 'Calc' }, 'LibreOffice/7.3', 'docProps/app.xml'],
    ['Calc under no name', { appName: 'Calc' }, 'LibreOffice', 'xl/workbook.xml'],
    ['another program', { appName: 'SpreadsheetGear 8.3' }, 'SpreadsheetGear 8.3', 'xl/workbook.xml'],
    [
      'a sheet of WPS',
      { named: 'Microsoft Excel', wpsSheet: 'xl/worksheets/sheet2.xml' },
      'WPS Spreadsheets',
      'xl/worksheets/sheet2.xml',
    ],
    ['WPS itself', { named: 'WPS Office', wpsSheet: 'xl/worksheets/sheet1.xml' }, 'WPS Office', 'docProps/app.xml'],
  ])('by %s', (_what, traces, program, programPart) => {
    expect(savingProgram({ ...NOTHING, ...traces })).toEqual({ program, programPart });
  });
});
