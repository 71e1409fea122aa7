/** What the clients have done: each mix is an activity and what is sent to it. */
import type { Activity } from '#shared/contract/activities.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import type { Installation } from './servers.ts';

export const MIXES = ['no-op', 'unwaited', 'rows', 'crowd'] as const;
export type Mix = (typeof MIXES)[number];

export const ROWS = 20_000;
/** Runs that one person starts at once, beside whom another starts one after the other. */
export const CROWD = 5_000;

export interface Work {
  ActivityId: number;
  ActivityVersion: number;
  Inputs: { ActivityParameterId: number; Value: string }[];
}

/** Publishes what the mix needs; answers what a start sends besides its UniqueId. */
export async function prepareMix(installation: Installation, mix: Mix): Promise<Work> {
  const book = mix === 'rows' ? rowsBook() : oneCell();
  const value = mix === 'rows' ? JSON.stringify(Array.from({ length: ROWS }, (_, row) => [row, row / 7])) : '41';
  const { Id, Version, Inputs } = await publish(installation, mix, await buildWorkbook(book));
  return {
    ActivityId: Id,
    ActivityVersion: Version,
    Inputs: [{ ActivityParameterId: Inputs[0]!.Id, Value: value }],
  };
}

const oneCell = (): Parameters<typeof buildWorkbook>[0] => ({
  sheets: [{ name: 'S', cells: { A1: 1, A2: { formula: 'A1+1', value: 2 } } }],
  names: { in_A: 'S!$A$1', out_B: 'S!$A$2' },
});

const rowsBook = (): Parameters<typeof buildWorkbook>[0] => ({
  sheets: [
    {
      name: 'S',
      cells: { A1: 'Key', B1: 'Amount', A2: 1, B2: 2, D1: { formula: 'SUM(Given[Amount])', value: 2 } },
      tables: [{ name: 'Given', ref: 'A1:B2', columns: ['Key', 'Amount'] }],
    },
  ],
  names: { in_Rows: 'Given', out_Sum: 'S!$D$1' },
});

async function publish({ servers, headers }: Installation, Name: string, bytes: Buffer): Promise<Activity> {
  const { address } = servers[0]!;
  const form = new FormData();
  const fields = { Id: '0', Schema: 'General', Name, SingleRun: 'false' };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob([new Uint8Array(bytes)]), 'book.xlsx');
  const made = await fetch(`${address}/api/activities/create`, { method: 'POST', body: form, headers });
  const { Id } = (await made.json()) as { Id?: number };
  if (Id === undefined) throw new Error(`the workbook of ${Name} was refused`);
  const details = await fetch(`${address}/api/activities/details/${Id}`, { headers });
  return ((await details.json()) as { result: Activity }).result;
}
