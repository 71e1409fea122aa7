/** The workloads of the clients: each mix is an activity and the inputs that are sent to it. */
import type { Activity } from '#shared/contract/activities.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import type { Installation, LoadServer } from './servers.ts';

export const MIXES = ['no-op', 'unwaited', 'rows', 'files', 'crowd'] as const;
export type Mix = (typeof MIXES)[number];

const ROWS = 20_000;
/** Number of runs that one user starts at once, while another user starts runs one after the other. */
export const CROWD = 5_000;

/** An input of one run. */
interface SuppliedInput {
  ActivityParameterId: number;
  Value?: string;
  ArrayIndex?: number;
  FileId?: string;
  FileName?: string;
}

export interface Work {
  ActivityId: number;
  ActivityVersion: number;
  Inputs: SuppliedInput[];
  /** File to upload for each run, to the first input, before the run starts. */
  file?: Buffer;
}

/** Publishes the activity of the mix. Returns what a start sends in addition to its UniqueId. */
export async function prepareMix(installation: Installation, mix: Mix): Promise<Work> {
  const book = mix === 'rows' ? rowsBook() : mix === 'files' ? filesBook() : oneCell();
  const value = mix === 'rows' ? JSON.stringify(Array.from({ length: ROWS }, (_, row) => [row, row / 7])) : '41';
  const { Id, Version, Inputs } = await publish(installation, mix, await buildWorkbook(book));
  const [{ Id: ActivityParameterId }] = Inputs as [Activity['Inputs'][number]];
  const work = { ActivityId: Id, ActivityVersion: Version };
  if (mix === 'files') return { ...work, Inputs: [{ ActivityParameterId }], file: largeFile() };
  return { ...work, Inputs: [{ ActivityParameterId, Value: value }] };
}

const FILE_MB = 20;
const FILE_NAME = 'given.csv';

/** Builds rows of one kilobyte. Most of it is text for which the workbook has no column. */
function largeFile(): Buffer {
  const note = 'x'.repeat(1000);
  const rows = Array.from({ length: (FILE_MB * 1024 * 1024) / 1024 }, (_, row) => `${row},${row % 7},${note}`);
  return Buffer.from(`Key,Amount,Note\n${rows.join('\n')}\n`);
}

/** Uploads the file, if any, and returns the inputs of a run. Returns undefined if the server did not respond. */
export async function prepareInputs(
  { file, Inputs }: Work,
  { address }: LoadServer,
  { headers }: Installation,
): Promise<SuppliedInput[] | undefined> {
  if (!file) return Inputs;
  const [{ ActivityParameterId }] = Inputs as [SuppliedInput];
  const form = new FormData();
  form.set('ActivityInputId', String(ActivityParameterId));
  form.set('file', new Blob([new Uint8Array(file)]), FILE_NAME);
  const answer = await fetch(`${address}/api/files/upload`, { method: 'POST', body: form, headers }).catch(
    () => undefined,
  );
  const { Items } = ((await answer?.json().catch(() => ({}))) ?? {}) as { Items?: { Id: string }[] };
  return Items && [{ ActivityParameterId, ArrayIndex: 0, FileId: Items[0]!.Id, FileName: FILE_NAME }];
}

const filesBook = (): Parameters<typeof buildWorkbook>[0] => ({
  sheets: [
    {
      name: 'S',
      cells: { A1: 'Key', B1: 'Amount', A2: 1, B2: 2, D1: { formula: 'SUM(Given[Amount])', value: 2 }, F1: FILE_NAME },
      tables: [{ name: 'Given', ref: 'A1:B2', columns: ['Key', 'Amount'] }],
    },
    {
      name: 'Portal',
      cells: { A1: 'Step', B1: 'Action', C1: 'Input', D1: 'Table', A2: 'Read', B2: 'Import', C2: 'File', D2: 'Given' },
      tables: [{ name: 'PortalSteps', ref: 'A1:D2', columns: ['Step', 'Action', 'Input', 'Table'] }],
    },
  ],
  names: { in_File: 'S!$F$1', out_Sum: 'S!$D$1' },
});

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
