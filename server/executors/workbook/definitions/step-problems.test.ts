import { describe, it } from 'vitest';
import type { CellSpec } from '#test/support/build-workbook.ts';
import { expectPortalProblem } from '#test/support/faulty-definitions.ts';

describe('a fault', () => {
  it.each<[string, string, CellSpec[][], string, RegExp]>([
    [
      'a step without an action',
      'PortalSteps',
      [
        ['Step', 'Action'],
        ['S1', null],
      ],
      'B2',
      /no Action/,
    ],
    [
      'an action of a later version',
      'PortalSteps',
      [
        ['Step', 'Action'],
        ['S1', 'Call'],
      ],
      'B2',
      /action Call, which this version does not support/,
    ],
    [
      'an unknown action',
      'PortalSteps',
      [
        ['Step', 'Action'],
        ['S1', 'Dance'],
      ],
      'B2',
      /unknown action 'Dance'/,
    ],
    [
      'an import without a table',
      'PortalSteps',
      [
        ['Step', 'Action', 'Input'],
        ['S1', 'Import', 'X'],
      ],
      'A2',
      /needs a value in Table/,
    ],
    [
      'an import into nothing',
      'PortalSteps',
      [
        ['Action', 'Input', 'Table'],
        ['Import', 'X', 'Lost'],
      ],
      'C2',
      /no Excel table 'Lost'/,
    ],
    [
      'an import from nothing',
      'PortalSteps',
      [
        ['Action', 'Input', 'Table'],
        ['Import', 'Ghost', 'T'],
      ],
      'B2',
      /no input 'Ghost'/,
    ],
    [
      'a check without a message',
      'PortalSteps',
      [
        ['Action', 'Cell'],
        ['Check', 'S!A1'],
      ],
      'A2',
      /needs a value in Message/,
    ],
    [
      'a check of nothing',
      'PortalSteps',
      [
        ['Action', 'Cell', 'Message'],
        ['Check', 'Gone!A1', 'm'],
      ],
      'B2',
      /Cell of the step .* 'Gone'/,
    ],
    [
      'a severity that is none',
      'PortalSteps',
      [
        ['Action', 'Cell', 'Message', 'Severity'],
        ['Check', 'S!A1', 'm', 'Fatal'],
      ],
      'D2',
      /'Fatal' is not a valid value/,
    ],
    [
      'an option of another action',
      'PortalSteps',
      [
        ['Action', 'Message', 'Table'],
        ['Log', 'm', 'T'],
      ],
      'C2',
      /does not use Table/,
    ],
    [
      'a When of many cells',
      'PortalSteps',
      [
        ['Action', 'Message', 'When'],
        ['Log', 'm', 'S!A1:A2'],
      ],
      'C2',
      /more than one cell/,
    ],
  ])('on the Portal sheet is %s', (_, name, rows, cell, message) => expectPortalProblem(name, rows, cell, message));
});
