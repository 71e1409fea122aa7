import { describe, expect, it } from 'vitest';
import { evaluate, type Shown } from '#server/calculation/testing/evaluate.ts';

describe('SWITCH', () => {
  it.each<[string, Shown]>([
    ['=SWITCH(2,1,"a",2,"b")', 'b'],
    ['=SWITCH("ABC","abc","match")', 'match'],
    ['=SWITCH(Z1,0,"match")', 'match'],
    ['=SWITCH(0,Z1,"match")', 'match'],
    ['=SWITCH(Z1,"","match")', '#N/A'],
    ['=SWITCH(FALSE,Z1,"match")', '#N/A'],
    ['=SWITCH(TRUE,1,"match","none")', 'none'],
  ])('keeps kinds of values apart, and a blank is 0: %s is %s', (formula, expected) => {
    expect(evaluate(formula)).toBe(expected);
  });
});
