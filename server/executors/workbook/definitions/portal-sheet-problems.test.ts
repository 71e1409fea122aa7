import { describe, it } from 'vitest';
import type { CellSpec } from '#test/support/build-workbook.ts';
import { expectPortalProblem } from '#test/support/faulty-definitions.ts';

describe('a fault', () => {
  it.each<[string, string, CellSpec[][], string, RegExp]>([
    [
      'an unknown column',
      'PortalInputs',
      [
        ['Name', 'Colour'],
        ['X', 'red'],
      ],
      'B1',
      /column 'Colour'/,
    ],
    [
      'an unknown value',
      'PortalInputs',
      [
        ['Name', 'CellUsages'],
        ['X', 'Money'],
      ],
      'B2',
      /'Money' is not a valid value/,
    ],
    [
      'an unknown specification',
      'PortalInputs',
      [
        ['Name', 'Specification'],
        ['X', 'Maybe'],
      ],
      'B2',
      /'Maybe' is not a valid value/,
    ],
    [
      'a flag that is none',
      'PortalInputs',
      [
        ['Name', 'Blanks'],
        ['X', 'perhaps'],
      ],
      'B2',
      /TRUE or FALSE/,
    ],
    [
      'a flag that is the name of a property of every object',
      'PortalInputs',
      [
        ['Name', 'Blanks'],
        ['X', 'constructor'],
      ],
      'B2',
      /TRUE or FALSE, not 'constructor'/,
    ],
    [
      'a size that is none',
      'PortalInputs',
      [
        ['Name', 'MaxSize'],
        ['X', 'big'],
      ],
      'B2',
      /whole number/,
    ],
    [
      'an order that is none',
      'PortalInputs',
      [
        ['Name', 'Order'],
        ['X', 'first'],
      ],
      'B2',
      /must be a number/,
    ],
    [
      'a row without a name',
      'PortalInputs',
      [
        ['Name', 'Order'],
        [null, 1],
      ],
      'A2',
      /no Name/,
    ],
    ['a name without cells', 'PortalInputs', [['Name'], ['Ghost']], 'A2', /No cells are named for the input 'Ghost'/],
    ['two rows for one input', 'PortalInputs', [['Name'], ['X'], ['in_X']], 'A3', /two rows for 'X'/],
    [
      'a Range that contradicts',
      'PortalInputs',
      [
        ['Name', 'Range'],
        ['X', 'S!A2'],
      ],
      'B2',
      /points to other cells/,
    ],
    [
      'a Range without a sheet',
      'PortalInputs',
      [
        ['Name', 'Range'],
        ['Y', 'A2'],
      ],
      'B2',
      /does not specify a sheet/,
    ],
    [
      'a RangeType that does not fit',
      'PortalInputs',
      [
        ['Name', 'RangeType'],
        ['X', 'MatrixWithHeaders'],
      ],
      'S!A1',
      /is not a MatrixWithHeaders/,
    ],
    [
      'too many values',
      'PortalInputs',
      [
        ['Name', 'CellUsages'],
        ['X', 'Text,Number'],
      ],
      'B2',
      /2 values for 1 column\./,
    ],
    [
      'a list without a source',
      'PortalInputs',
      [
        ['Name', 'Picker'],
        ['X', 'List'],
      ],
      'B2|A2',
      /no source/,
    ],
    [
      'a list that is none',
      'PortalInputs',
      [
        ['Name', 'PickerSource'],
        ['X', 'Nowhere'],
      ],
      'B2',
      /cannot be read from 'Nowhere'/,
    ],
    [
      'a database picker',
      'PortalInputs',
      [
        ['Name', 'Picker'],
        ['X', 'Database'],
      ],
      'A2',
      /has no connection and query/,
    ],
    [
      'a condition without a table',
      'PortalInputs',
      [
        ['Name', 'CellUsages'],
        ['X', 'Condition'],
      ],
      'A2',
      /needs a table/,
    ],
    [
      'a path as sample file',
      'PortalInputs',
      [
        ['Name', 'SampleFile'],
        ['X', '..\\secret.csv'],
      ],
      'B2',
      /must be a name, not a path/,
    ],
    [
      'an unknown setting',
      'PortalSettings',
      [
        ['Name', 'Value'],
        ['Colour', 'red'],
      ],
      'A2',
      /no setting 'Colour'/,
    ],
    [
      'a setting twice',
      'PortalSettings',
      [
        ['Name', 'Value'],
        ['Function', 'a'],
        ['Function', 'b'],
      ],
      'A3',
      /appears twice/,
    ],
    [
      'a setting too long',
      'PortalSettings',
      [
        ['Name', 'Value'],
        ['Group', 'g'.repeat(31)],
      ],
      'A2',
      /longer than 30/,
    ],
    ['a table of a wrong name', 'PortalInput', [['Name'], ['X']], 'A1', /does not know the table 'PortalInput'/],
    ['a table that was not named', 'Table7', [['Name'], ['X']], 'A1', /does not know the table 'Table7'/],
  ])('on the Portal sheet is %s', (_, name, rows, cell, message) => expectPortalProblem(name, rows, cell, message));
});
