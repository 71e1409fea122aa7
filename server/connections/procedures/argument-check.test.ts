import { expect, it } from 'vitest';
import type { ProcedureType } from '#server/base/procedure-types.ts';
import { checkArgument } from './argument-check.ts';
import { RULES_PG } from './values-pg.ts';

const type = (more: Partial<ProcedureType>): ProcedureType => ({
  declared: '',
  base: '',
  kind: 'Text',
  maxLength: null,
  precision: null,
  scale: null,
  hasZone: false,
  labels: [],
  columns: [],
  ...more,
});
const numeric = (scale: number): ProcedureType =>
  type({ declared: `numeric(9,${scale})`, base: 'numeric', kind: 'Number', precision: 9, scale });
const rows = (...columns: string[]): ProcedureType =>
  type({ kind: 'Table', columns: columns.map((name) => ({ name, type: numeric(2), isNullable: true })) });

it('counts what a type holds and what a value needs, with the singular for one', () => {
  const check = (own: ProcedureType, value: Parameters<typeof checkArgument>[2]) => () =>
    checkArgument('Rate', own, value, RULES_PG);
  expect(check(numeric(1), '1.25')).toThrow("Rate: numeric(9,1) holds 1 decimal place, and '1.25' has 2");
  expect(check(numeric(2), '1.255')).toThrow("Rate: numeric(9,2) holds 2 decimal places, and '1.255' has 3");
  expect(check(rows('a', 'b'), { rows: [['1']] })).toThrow('Row 1 of Rate has 1 cell, where its type has 2 columns');
  expect(check(rows('a'), { rows: [['1', '2']] })).toThrow('Row 1 of Rate has 2 cells, where its type has 1 column');
});
