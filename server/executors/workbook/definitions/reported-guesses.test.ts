/** What a report says about inferred types. */
import { expect, it } from 'vitest';
import type { SheetSpec } from '#test/support/build-workbook.ts';
import { portal, read } from '#test/support/read-definitions.ts';

const formats = ['dd/mm/yyyy', '0.00'];

it('reports each guess with its reason and how to specify it', async () => {
  const sheets = [{ name: 'S', cells: { C1: { formula: 'SUM(A1:A2)', value: 0 } } }];
  const names = { in_X: 'S!$A$1', in_Y: 'S!$A$2', in_Note: 'S!$B$1', out_Sum: 'S!$C$1' };
  const { findings } = await read({ sheets, names });
  const howToFix = 'To choose it yourself, give its cells a number format, or enter CellUsages in PortalInputs.';
  const because = 'is treated as a Number, because the formula in S!C1 uses it as a number (SUM).';
  expect(findings).toEqual([
    { Sheet: 'S', Cell: 'A1', Message: `The input 'X' ${because}`, Remedy: howToFix },
    {
      Sheet: 'S',
      Cell: 'B1',
      Message: "The input 'Note' is treated as a Text, because neither its cells nor any formula say what it is.",
      Remedy: howToFix,
    },
    { Sheet: 'S', Cell: 'A2', Message: `The input 'Y' ${because}`, Remedy: howToFix },
  ]);
});

it('reports guesses of the columns that steps fill, and of the answers of prompts', async () => {
  const data: SheetSpec = {
    name: 'S',
    cells: {
      A1: 'Code',
      B1: 'Rate',
      C1: 'Paid',
      D1: 'Share',
      C2: { value: null, style: 1 },
      D2: { formula: 'Lines[[#This Row],[Rate]]*2', value: 0 },
      F1: { formula: 'F2*2', value: 0 },
    },
    tables: [
      {
        name: 'Lines',
        ref: 'A1:D2',
        columns: ['Code', 'Rate', 'Paid', { name: 'Share', formula: 'Lines[[#This Row],[Rate]]*2' }],
      },
    ],
  };
  const steps = portal('PortalSteps', [
    ['Step', 'Action', 'Input', 'Table', 'Cell', 'Message'],
    ['Load', 'Import', 'in_File', 'Lines', '', ''],
    ['Again', 'Import', 'in_File', 'Lines', '', ''],
    ['Ask', 'Prompt', '', '', 'S!F2', 'How many?'],
  ]);
  const names = { in_File: 'S!$H$1', out_Result: 'S!$F$1' };
  const { findings, problems } = await read({ sheets: [data, { name: 'Portal', ...steps }], names, formats });
  expect(problems).toEqual([]);
  const Remedy = 'To choose it yourself, give its cells a number format.';
  const finding = (Cell: string, Message: string) => ({ Sheet: 'S', Cell, Message, Remedy });
  expect(findings).toEqual([
    finding(
      'A2',
      "The column Lines[Code], which the step 'Load' fills, is treated as a Text, because neither its cells nor any formula say what it is.",
    ),
    finding(
      'B2',
      "The column Lines[Rate], which the step 'Load' fills, is treated as a Number, because the formula in S!D2 uses it as a number (*).",
    ),
    finding(
      'F2',
      "The answer of the step 'Ask' is treated as a Number, because the formula in S!F1 uses it as a number (*).",
    ),
  ]);
});
