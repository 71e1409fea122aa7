import { expect, test } from 'vitest';
import { NEW_TILE, readTile, withKind } from './tile-fields.ts';

const value = { ...NEW_TILE, source: 'a7', output: '3' };

test('another kind of tile begins without an output that its form does not offer', () => {
  const table = withKind(value, 'Table');
  expect(table).toMatchObject({ Kind: 'Table', source: 'a7', output: '' });
  expect(readTile(table, null, [])).toEqual({ issue: 'Choose an output' });
  expect(withKind(withKind(value, 'Plot'), 'Value').output).toBe('');
  expect(withKind({ ...value, Kind: 'Plot' }, 'Value').output).toBe('3');
});

test('a checklist is chosen only for outcomes', () => {
  const outcomes = { ...NEW_TILE, Kind: 'Outcomes', source: 'c5' } as const;
  expect(withKind(outcomes, 'Value').source).toBe('');
  expect(withKind(value, 'Outcomes').source).toBe('a7');
});
