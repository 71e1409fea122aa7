/** Tests reading, checking, comparing and writing manifests, none of which needs a portal. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkManifest } from './check-manifest.ts';
import { manifestChanges } from './manifest-changes.ts';
import { readManifest } from './read-manifest.ts';
import { writeManifest } from './write-manifest.ts';

const CLOSE = `apiVersion: runsheet/v1
kind: Workflow
schema: Finance
name: Monthly close
inputs:
  - name: Month
  - name: Rate
    type: Number
    default: { constant: 0.05 }
steps:
  - kind: Activity
    key: collect
    name: Collect
    activity: { schema: Finance, name: Collect }
    inputs:
      - name: Month
        fromInput: Month
  - kind: Decision
    key: due
    name: Is anything due?
    after:
      - { step: collect, when: success }
    condition: Total > 0
    values:
      - name: Total
        fromOutput: { step: collect, output: Total }
`;

/** Returns "line: message" for everything that is wrong with a text. */
function problemsOf(text: string): string[] {
  const { value, problems, lineOf } = readManifest(text);
  if (problems.length > 0) return problems.map(({ line, message }) => `${line}: ${message}`);
  return checkManifest(value)
    .map(({ pointer, message }) => ({ line: lineOf(pointer), message }))
    .toSorted((one, other) => one.line - other.line)
    .map(({ line, message }) => `${line}: ${message}`);
}

describe('a manifest', () => {
  test('reads as a value, and is written as the same text', () => {
    expect(problemsOf(CLOSE)).toEqual([]);
    const { value } = readManifest(CLOSE);
    expect(value).toMatchObject({ name: 'Monthly close', steps: [{ key: 'collect' }, { condition: 'Total > 0' }] });
    expect(writeManifest(value as object)).toBe(
      CLOSE.replace(/default: \{ constant: 0\.05 \}/, 'default:\n      constant: 0.05'),
    );
  });

  test.for([
    ['', '1: The file is empty: it needs apiVersion, kind and the fields of its kind.'],
    ['- a', '1: The file must begin with apiVersion: runsheet/v1 and kind.'],
    ['kind: Workflow', '1: apiVersion must be runsheet/v1. Add it.'],
    [CLOSE.replace('runsheet/v1', 'runsheet/v9'), '1: apiVersion must be runsheet/v1, not "runsheet/v9".'],
    [
      CLOSE.replace('kind: Workflow', 'kind: Flow'),
      '2: kind must be one of ActivitySettings, Workflow, Schedule, Trigger, Alert, not "Flow".',
    ],
    [
      CLOSE.replace('name: Monthly close', 'nam: Monthly close'),
      /^4: The field nam does not exist in a manifest of kind Workflow\./,
    ],
    [CLOSE.replace('schema: Finance\n', ''), '1: The field schema is missing in a manifest of kind Workflow. Add it.'],
    [CLOSE.replace('    key: collect\n', ''), '11: The field key is missing in a step of kind Activity. Add it.'],
    [
      CLOSE.replace('kind: Decision', 'kind: Choice'),
      '18: kind must be one of Activity, ForEach, Decision, Approval, not "Choice".',
    ],
    [CLOSE.replace('when: success', 'when: later'), /^22: when must be one of success, .*, not "later"\.$/],
    [
      CLOSE.replace('        fromInput: Month\n', ''),
      /^16: inputs\[1\] must have exactly one of fromInput, fromOutput, fromColumn, constant, formula\.$/,
    ],
    [
      CLOSE.replace('fromInput: Month', 'fromInput: Month\n        constant: 1'),
      /^16: inputs\[1\] must have exactly one of/,
    ],
    [
      CLOSE.replace('name: Monthly close', 'name: 5'),
      /^4: name must be text that is not empty of at most 100 characters, not 5\.$/,
    ],
    [CLOSE.replace('type: Number', 'type: Money'), '8: type must be one of Text, Number, Date, Boolean, not "Money".'],
    [CLOSE.replace('constant: 0.05', 'constant: .inf'), '9: This is not a number that can be stored.'],
    [
      CLOSE.replace('constant: 0.05', 'constant: [1]'),
      '9: constant must be text of at most 32767 characters or a number or true or false or null, not a list of 1.',
    ],
    [
      CLOSE.replace('schema: Finance', 'schema: Finance\nschema: Sales'),
      '4: The field schema is already in line 3. Remove one of the two.',
    ],
    [CLOSE.replace('schema: Finance', 'schema: Finance\n__proto__: 1'), /^4: The field __proto__ does not exist/],
    [CLOSE.replace('fromInput: Month', 'fromInput: &a Month'), '17: The anchor &a is not allowed. Remove it.'],
    [
      CLOSE.replace('name: Month\n', 'name: !!binary aGk=\n'),
      '6: The tag tag:yaml.org,2002:binary is not allowed. Remove it.',
    ],
    [`${CLOSE}---\na: 1\n`, '27: The file has several documents. Write each one into a file of its own.'],
    [CLOSE.replace('  - name: Month', '\t- name: Month'), /^6: .*tab/],
    ['['.repeat(20_000), /nested more than 20 levels/],
    [`a: ${'['.repeat(50)}${']'.repeat(50)}`, /nested more than 20 levels/],
    [`a: &a [x, x, x]\nb: &b [*a, *a]\nc: [*b, *b]`, /^1: The anchor &a is not allowed/],
    ['x'.repeat(5_000_001), /^1: The file has more than 5,000,000 characters/],
  ] as const)('is refused with its line and what to do: %#', ([text, says]) => {
    expect(problemsOf(text)).toContainEqual(typeof says === 'string' ? says : expect.stringMatching(says));
  });

  test('finds a duplicate among very many fields without comparing each with all others', () => {
    const fields = Array.from({ length: 30_000 }, (_, index) => `a${index}: 1`);
    const { problems } = readManifest([...fields, 'a7: 2'].join('\n'));
    expect(problems).toEqual([{ line: 30_001, message: 'The field a7 is already in line 8. Remove one of the two.' }]);
  });

  test('keeps every text, number and truth value', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom('a', ' ', '\n', '\r', '\t', '#', ':', '-', '"', "'", '\u2028', '\u0085', '\ufeff'),
      }),
      fc.constantFrom(
        'yes',
        'no',
        'on',
        '~',
        'null',
        '1e3',
        '0x10',
        '1_000',
        '2026-01-31',
        '12:30',
        '=A1',
        '<<',
        '007',
        '- a',
        '%a',
        '---',
      ),
    );
    const constant = fc.oneof(
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    );
    fc.assert(
      fc.property(text, constant, (name, value) => {
        const manifest = {
          name,
          list: [{ name, constant: value }],
          after: [{ step: name, when: 'yes' }],
          activity: { name },
        };
        const read = readManifest(writeManifest(manifest));
        expect(read.problems).toEqual([]);
        expect(JSON.stringify(read.value)).toBe(JSON.stringify(manifest));
      }),
      { numRuns: 300 },
    );
  });
});

describe('the difference of two manifests', () => {
  const value = (text: string) => readManifest(text).value as object;

  test('is empty for another order of fields', () => {
    const turned = CLOSE.replace('schema: Finance\nname: Monthly close', 'name: Monthly close\nschema: Finance');
    expect(manifestChanges(value(CLOSE), value(turned))).toEqual([]);
  });

  test('names what was changed, added, removed and moved', () => {
    const changed = CLOSE.replace('Total > 0', 'Total > 10')
      .replace('  - name: Month\n', '')
      .replace('steps:', '  - name: Month\n  - name: New\nsteps:')
      .replace('\n        fromInput: Month', '\n        constant: 3');
    expect(manifestChanges(value(CLOSE), value(changed))).toEqual([
      { Path: 'inputs.New', Before: null, After: '{"name":"New"}' },
      { Path: 'inputs (order)', Before: 'Month, Rate', After: 'Rate, Month' },
      { Path: 'steps.collect.inputs.Month.fromInput', Before: '"Month"', After: null },
      { Path: 'steps.collect.inputs.Month.constant', Before: null, After: '3' },
      { Path: 'steps.due.condition', Before: '"Total > 0"', After: '"Total > 10"' },
    ]);
  });
});
