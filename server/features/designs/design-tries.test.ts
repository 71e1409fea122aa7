/** Tests trying, publishing and running marked workbooks, with a real workbook executor. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Design } from '#shared/contract/designs.ts';
import { mark, MARKS, startDesignPortal, type DesignPortal } from '#test/support/design-portal.ts';

let portal: DesignPortal;
let call: DesignPortal['call'];
let send: DesignPortal['send'];
let open: DesignPortal['open'];
let save: DesignPortal['save'];
beforeAll(async () => {
  portal = await startDesignPortal();
  ({ call, send, open, save } = portal);
});
afterAll(() => portal.close());

test('marks are saved and checked, tried, published and run', async () => {
  const design = await open();
  const saved = await save(design, MARKS);
  expect(saved.result.Found.Inputs.map(({ Name }) => Name)).toEqual(['Interest rate (p.a.)', 'Amount']);
  expect(saved.result.Found.Faults).toEqual([]);

  const inputs = { Inputs: [{ Name: 'Amount', Value: '2000' }] };
  const tried = await call('POST', `/api/designs/${design.Id}/try`, inputs);
  expect(tried.result).toMatchObject({ HasSucceeded: true, Outputs: [{ Name: 'Interest', Value: '100' }] });

  const fields = { Id: '0', Schema: 'Finance', Name: 'Marked loan', DesignId: String(design.Id) };
  const published = await send('/api/activities/create?UploadId=marked', fields);
  expect(published).toMatchObject({ status: 200, Version: 1 });
  // The page repeats the call if the response was lost, though the design is no longer there.
  expect(await send('/api/activities/create?UploadId=marked', fields)).toEqual(published);
  const details = await call<{ Inputs: { Name: string }[] }>('GET', `/api/activities/details/${published.Id}`);
  expect(details.result.Inputs.map(({ Name }) => Name)).toEqual(['Interest rate (p.a.)', 'Amount']);
  expect(await call('GET', `/api/designs/${design.Id}`)).toMatchObject({ status: 404 });

  // Opens the version in use with its marks, to edit the next version.
  const { Id } = await send('/api/designs/open', { Id: String(published.Id) });
  const next = (await call<Design>('GET', `/api/designs/${Id}`)).result;
  expect(next).toMatchObject({ ActivityId: published.Id, FileName: 'Loan.xlsx', Carried: null });
  expect(new Set(next.Marks)).toEqual(new Set(MARKS));
});

test('a design shows the region of its workbook, and is tried with the one that its activity will have', async () => {
  const cells = { A1: 1.5, B1: { formula: 'FIXED(A1,1)', value: null } };
  const marks = [mark('Input', 'Number', 'A1'), mark('Output', 'Text', 'B1')];
  const tried = async ({ Id }: Pick<Design, 'Id'>, wanted: object = {}): Promise<unknown> =>
    (await call('POST', `/api/designs/${Id}/try`, { Inputs: [], ...wanted })).result;
  const shows = (Value: string) =>
    expect.objectContaining({ Outputs: [expect.objectContaining({ Value: JSON.stringify(Value) })] }) as unknown;

  const design = await open({ sheets: [{ name: 'Loan', cells }] });
  expect(design.Region).toEqual({ Id: 'en-US', Source: 'None' });
  await save(design, marks);
  expect(await tried(design)).toEqual(shows('1.5'));
  expect(await tried(design, { Region: 'de-DE' })).toEqual(shows('1,5'));
  expect(await tried(design)).toEqual(shows('1.5'));
  expect(await call('POST', `/api/designs/${design.Id}/try`, { Inputs: [], Region: 'de-XX' })).toMatchObject({
    status: 400,
  });

  const fields = { Id: '0', Schema: 'Finance', Name: 'Numbers', DesignId: String(design.Id), Region: 'de-DE' };
  const { Id } = await send('/api/activities/create', fields);
  const next = await send('/api/designs/open', { Id: String(Id) });
  const again = (await call<Design>('GET', `/api/designs/${next.Id}`)).result;
  expect(again.Region).toEqual({ Id: 'de-DE', Source: 'Kept' });
  expect(await tried(again)).toEqual(shows('1,5'));

  const germanCells = { ...cells, B1: { formula: 'FIXED(A1,1)', value: '1,5' } };
  const german = await open({ sheets: [{ name: 'Loan', cells: germanCells }] });
  expect(german.Region).toMatchObject({ Source: 'Values' });
  await save(german, marks);
  expect(await tried(german)).toEqual(shows('1,5'));
  expect(await tried(german, { Region: 'en-US' })).toEqual(shows('1.5'));
});
