/** The region of a workbook: detected from the file, chosen by its author, or inherited from the previous version. */
import { describe, expect, it } from 'vitest';
import type { InspectedFile, InputValue } from '#server/executors/executor.ts';
import { buildWorkbook, type WorkbookSpec } from '#test/support/build-workbook.ts';
import { file, never, nextVersion, value, valueOf, workbookExecutors } from '#test/support/workbook-executors.ts';

const { shared } = workbookExecutors();

type Wanted = NonNullable<InspectedFile['region']>;

/**
 * A text that regions read differently and a formula on an input. Neither has a saved value that reveals the region.
 */
const SILENT: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: {
        A1: 1234.5,
        A2: { formula: 'TEXT(A1,"0.0")&"|"&A1', value: null },
        A3: { formula: 'DATEVALUE("03/04/2026")', value: null },
        B1: 'File',
        B2: null,
        D1: 'Day',
        E1: 'Amount',
        D2: { value: 46_000, style: 1 },
        E2: { value: 1.5, style: 2 },
      },
      tables: [{ name: 'Data', ref: 'D1:E2', columns: ['Day', 'Amount'] }],
    },
    {
      name: 'PortalSteps',
      cells: {
        A1: 'Step',
        B1: 'Action',
        C1: 'Input',
        D1: 'Table',
        A2: 'Read',
        B2: 'Import',
        C2: 'File',
        D2: 'Data',
      },
      tables: [{ name: 'PortalSteps', ref: 'A1:D2', columns: ['Step', 'Action', 'Input', 'Table'] }],
    },
    {
      name: 'Portal',
      cells: { A1: 'Name', B1: 'CellUsage', A2: 'File', B2: 'FilePath' },
      tables: [{ name: 'PortalInputs', ref: 'A1:B2', columns: ['Name', 'CellUsage'] }],
    },
  ],
  names: {
    in_X: 'S!$A$1',
    in_File: 'S!$B$2',
    out_Text: 'S!$A$2',
    out_Day: 'S!$A$3',
    out_Rows: 'Data[#All]',
  },
  formats: ['yyyy-mm-dd', '0.000'],
};
/** The saved value of its formula has a decimal comma. */
const GERMAN: WorkbookSpec = {
  ...SILENT,
  sheets: [
    {
      ...SILENT.sheets[0]!,
      cells: { ...SILENT.sheets[0]!.cells, C1: { formula: '1.5&" kg"', value: '1,5 kg' } },
    },
    ...SILENT.sheets.slice(1),
  ],
};

async function inspected(spec: WorkbookSpec, region?: Wanted) {
  const bytes = await buildWorkbook(spec);
  const found = await shared.inspect(
    { fileName: 'Book.xlsx', bytes, acceptUnsupported: [], ...(region ? { region } : {}) },
    never,
  );
  expect(found.problems).toEqual([]);
  const definition = found.definition!;
  const versionKey = `region ${nextVersion()}`;
  const run = (inputs: InputValue[], log: string[] = []) =>
    shared.run({
      versionKey,
      definition,
      fileName: 'Book.xlsx',
      readWorkbook: () => Promise.resolve(Uint8Array.from(bytes)),
      inputs,
      timeLimit: 60_000,
      signal: never,
      onLog: ({ Message }) => log.push(Message),
      onProgress: () => undefined,
    });
  return { ...found, definition, run, bytes, versionKey };
}

const CSV = file('days.csv', 'Day;Amount\n03/04/2026;1.234\n');
const imported: InputValue = { Name: 'File', value: null, files: [CSV] };

describe('the region of a workbook', () => {
  it('that its author chose decides what functions read and make', async () => {
    const outputs = async (chosen: string) => {
      const { run } = await inspected(SILENT, { chosen });
      const outcome = await run([value('X', 2.5)]);
      return [valueOf(outcome, 'Text'), valueOf(outcome, 'Day')];
    };
    // "0.0" is written with a decimal point, as in the United States. In regions with a decimal comma, the point groups
    // thousands.
    expect(await outputs('en-US')).toEqual(['2.5|2.5', 46_085]);
    expect(await outputs('en-GB')).toEqual(['2.5|2.5', 46_115]);
    expect((await outputs('de-DE'))[0]).toMatch(/\|2,5$/);
    expect((await outputs('fr-CH'))[0]).toMatch(/\|2,5$/);
  });

  it('that its author chose decides how an import reads what its file does not prove', async () => {
    const rows = async (chosen: string) => {
      const outcome = await (await inspected(SILENT, { chosen })).run([imported]);
      return (valueOf(outcome, 'Rows') as unknown[][]).at(-1);
    };
    expect(await rows('en-US')).toEqual([46_085, 1.234]);
    expect(await rows('en-GB')).toEqual([46_115, 1.234]);
    expect(await rows('de-DE')).toEqual([46_115, 1234]);
  });

  it('is not guessed for an import if neither the file specifies it nor the author chose one', async () => {
    const log: string[] = [];
    const outcome = await (await inspected(SILENT)).run([imported], log);
    expect(outcome.status).toBe('Failed');
    expect(log.join('\n')).toContain(
      "'03/04/2026' may be read in two ways: the step's DateFormat or the region of the workbook has to say which",
    );
  });

  it('yields to what the whole column of a file proves', async () => {
    const proving = { ...imported, files: [file('d.csv', 'Day;Amount\n03/04/2026;1\n25/04/2026;2\n')] };
    const outcome = await (await inspected(SILENT, { chosen: 'en-US' })).run([proving]);
    expect(valueOf(outcome, 'Rows')).toEqual(expect.arrayContaining([[46_115, 1]]));
  });

  it('says whether the file specified it, its author chose it, or nothing did', async () => {
    const regionOf = async (spec: WorkbookSpec, region?: Wanted) => {
      const { definition, fidelity } = await inspected(spec, region);
      expect(fidelity).toMatchObject({ RegionSource: definition.region?.source });
      return definition.region;
    };
    expect(await regionOf(SILENT)).toEqual({ id: 'en-US', source: 'None', told: null });
    expect(await regionOf(GERMAN)).toEqual({ id: 'de-DE', source: 'Values', told: 'de-DE' });
    expect(await regionOf(SILENT, { chosen: 'en-GB' })).toEqual({ id: 'en-GB', source: 'Chosen', told: null });
    expect(await regionOf(GERMAN, { chosen: 'de-AT' })).toEqual({ id: 'de-AT', source: 'Chosen', told: 'de-DE' });
  });

  it('is that of the previous version, unless the file specifies another', async () => {
    const after = async (spec: WorkbookSpec, before: NonNullable<Wanted['before']>, chosen?: string) =>
      (await inspected(spec, { before, ...(chosen ? { chosen } : {}) })).definition.region;
    const british = { id: 'en-GB', source: 'Chosen', told: null } as const;
    expect(await after(SILENT, british)).toEqual({ id: 'en-GB', source: 'Kept', told: null });
    expect(await after(GERMAN, british)).toEqual({ id: 'de-DE', source: 'Values', told: 'de-DE' });
    expect(await after(SILENT, british, 'en-AU')).toEqual({ id: 'en-AU', source: 'Chosen', told: null });
    // Detected from the file of that version.
    expect(await after(SILENT, { id: 'de-DE', source: 'Formats', told: 'de-DE' })).toMatchObject({ id: 'de-DE' });
    // The author overrode the region detected from the file. The next file, from which the same region is detected,
    // does not change that.
    const austrian = { id: 'de-AT', source: 'Chosen', told: 'de-DE' } as const;
    expect(await after(GERMAN, austrian)).toEqual({ id: 'de-AT', source: 'Kept', told: 'de-DE' });
    // The region of that version was unknown.
    expect(await after(SILENT, { id: 'en-US', source: 'None', told: null })).toMatchObject({ source: 'None' });
  });

  it('that was carried over decides runs and forms as one that was chosen', async () => {
    const before = { id: 'en-GB', source: 'Chosen', told: null } as const;
    const { run, definition, bytes, versionKey } = await inspected(SILENT, { before });
    expect(valueOf(await run([value('X', 1)]), 'Day')).toBe(46_115);
    const form = await shared.updateForm({
      versionKey,
      formKey: 'form',
      definition: { ...definition, outputs: definition.outputs.map(shownImmediately) },
      readWorkbook: () => Promise.resolve(Uint8Array.from(bytes)),
      inputs: [],
      timeLimit: 60_000,
    });
    expect(form).toMatchObject({ outputs: expect.arrayContaining([{ Name: 'Day', Value: '46115' }]) });
  });
});

const shownImmediately = <Output extends { Info: { CalculateImmediately: boolean } }>(output: Output): Output => ({
  ...output,
  Info: { ...output.Info, CalculateImmediately: true },
});
