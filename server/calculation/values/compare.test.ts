import { expect, it } from 'vitest';
import { evaluate } from '../testing/evaluate.ts';
import { compareTexts } from './compare.ts';

it('orders Chinese texts by their sounds', () => {
  const sorted = ['护理基础人均', '护理组', '科室', '医疗组', '医生基础人均', '员工'];
  expect(sorted.toReversed().sort(compareTexts)).toEqual(sorted);
  expect(['中b', '中a', 'z中', 'a'].sort(compareTexts)).toEqual(['a', 'z中', '中a', '中b']);
  const cells = { A1: '科室', B1: '医疗组', C1: '护理组', D1: '员工', E1: '医生基础人均', F1: '护理基础人均' };
  expect(evaluate('=MATCH("医生基础人均",A1:F1)', cells)).toBe(5);
});
