import { expect, test } from 'vitest';
import { readLine } from '#shared/codecs/read-mark.ts';
import { LogCode } from '#shared/rules/log-codes.ts';
import { differenceReason } from './difference-reason.ts';

const run = (ActivityVersion = 1, hidden = '1', ActivityId = 7, read: Record<string, string> = {}) => ({
  LogEntries: Object.entries(read).map(([Step, mark]) => ({
    Message: readLine({ Step, mark }, 1200, 'Rates'),
    StatusCode: LogCode.StepDone,
  })),
  ActivityId,
  ActivityVersion,
  Type: 'Workbook' as const,
  Inputs: [
    {
      ActivityParameterId: 9,
      Value: hidden,
      FileId: null,
      FileName: null,
      ParameterInfo: { RangeType: 'SingleCell', CellUsages: ['Number'], Specifications: ['Hidden'] },
    } as never,
  ],
});
const same = { name: 'Rate', differs: false };
const other = { name: 'Rate', differs: true };
const outputs = [{ differs: true }];

test('inputs, versions and hidden inputs that differ are named; nothing is said where the outputs are the same', () => {
  expect(differenceReason([run(), run()], { inputs: [other], outputs: [same] })).toBeNull();
  expect(differenceReason([run(), run()], { inputs: [other], outputs })).toMatch(
    /^The outputs differ\. Also different: the input Rate\./,
  );
  const both = differenceReason([run(1), run(3)], { inputs: [other, { name: 'Day', differs: true }], outputs });
  expect(both).toMatch(/Also different: the inputs Rate, Day and the versions \(1, 3\)\./);
  expect(differenceReason([run(1, '1'), run(1, '2')], { inputs: [same], outputs })).toMatch(
    /Also different: hidden inputs\./,
  );
  expect(differenceReason([run(), run()], { inputs: [same], outputs })).toMatch(
    /^The inputs and the version are the same\. /,
  );
  expect(differenceReason([run(), run(1, '1', 8)], { inputs: [], outputs })).toBe(
    'The runs are of different activities.',
  );
});

test('steps that have read other rows are named; rows that are the same are ruled out', () => {
  const inputs = [same];
  const [old, fresh] = ['0123abcd', '89ef0123'];
  const reading = (Rates: string, Orders: string, version = 1) => run(version, '1', 7, { Rates, Orders });
  const one = differenceReason([reading(old, old), reading(fresh, old)], { inputs, outputs });
  expect(one).toMatch(/Also different: data read by the step Rates\./);
  const both = differenceReason([reading(old, old), reading(fresh, fresh)], { inputs, outputs });
  expect(both).toMatch(/Also different: data read by the steps Rates, Orders\./);
  const none = differenceReason([reading(old, old), reading(old, old)], { inputs, outputs });
  expect(none).toMatch(
    /^The inputs, the version, and the rows that the steps read are the same\. .* the date, random numbers, /,
  );
  const versions = differenceReason([reading(old, old), reading(fresh, old, 2)], { inputs, outputs });
  expect(versions).not.toContain('Rates');
});
