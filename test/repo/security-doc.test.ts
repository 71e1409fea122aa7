import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readText, ROOT } from './source-files.ts';

const text = readText('docs/security.md');
const rows = [...text.matchAll(/^\| (\d+\.\d+\.\d+) +\| ([12]) +\| (.+?) +\| (\S.*?) +\| (.*?) +\|$/gm)].map(
  ([, id, level, , state, how]) => ({ id, level, state, how: how! }),
);
const withState = (state: string): number => rows.filter((row) => row.state === state).length;

/** Number of requirements of level 1, and of those that level 2 adds, in version 5.0.0. */
const OF_LEVEL: Record<string, number> = { 1: 70, 2: 183 };

test('every requirement of levels 1 and 2 is answered once, in one of four ways', () => {
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  for (const [level, count] of Object.entries(OF_LEVEL)) {
    expect(rows.filter((row) => row.level === level)).toHaveLength(count);
  }
  expect(withState('met') + withState('operator') + withState('not applicable') + withState('**open**')).toBe(
    rows.length,
  );
  expect(text.replaceAll(/\s+/g, ' ')).toContain(
    `Of ${rows.length} requirements ${withState('met')} are met, ${withState('operator')} are met by the named setting or ` +
      `by the operator (\`operator\`), ${withState('not applicable')} are not applicable and ` +
      `${withState('**open**')} are open.`,
  );
});

test('what is named as a test is there', () => {
  const named = [...text.matchAll(/`([^`]+\/[^`]+\.tsx?)`/g)].map(([, path]) => path!);
  expect(named.length).toBeGreaterThan(100);
  expect([...new Set(named)].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('what is left to the operator names the setting, the right or the operator', () => {
  const forOperator = rows.filter(({ state }) => state === 'operator');
  expect(forOperator.filter(({ how }) => !/[Oo]perator|[Ss]etting|`sk\./.test(how))).toEqual([]);
});
