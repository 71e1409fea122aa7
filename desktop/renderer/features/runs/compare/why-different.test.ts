import { expect, test } from 'vitest';
import { whyDifferent } from './why-different.ts';

const run = (ActivityVersion = 1, hidden = '1', ActivityId = 7) => ({
  ActivityId,
  ActivityVersion,
  Inputs: [
    { ActivityParameterId: 9, Value: hidden, FileId: null, ParameterInfo: { Specifications: ['Hidden'] } } as never,
  ],
});
const same = { name: 'Rate', differs: false };
const other = { name: 'Rate', differs: true };
const outputs = [{ differs: true }];

test('inputs, versions and hidden inputs that differ are named; nothing is said where the outputs are the same', () => {
  expect(whyDifferent([run(), run()], { inputs: [other], outputs: [same] })).toBeNull();
  expect(whyDifferent([run(), run()], { inputs: [other], outputs })).toMatch(
    /^The outputs differ, and so do the input Rate\./,
  );
  const both = whyDifferent([run(1), run(3)], { inputs: [other, { name: 'Day', differs: true }], outputs });
  expect(both).toMatch(/so do the inputs Rate, Day and the versions \(1, 3\)\./);
  expect(whyDifferent([run(1, '1'), run(1, '2')], { inputs: [same], outputs })).toMatch(/inputs that are not shown\./);
  expect(whyDifferent([run(), run()], { inputs: [same], outputs })).toMatch(/^Inputs and version are the same: /);
  expect(whyDifferent([run(), run(1, '1', 8)], { inputs: [], outputs })).toBe('The runs are of different activities.');
});
