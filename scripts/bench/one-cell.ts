/**
 * The smallest possible activity: one input, one formula, one output. The time of its run is the overhead of the
 * program.
 */
import type { Activity } from '#shared/contract/activities.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import type { BenchPortal } from './portal.ts';

const FIELDS = {
  Id: '0',
  Schema: 'General',
  Description: '',
  SingleRun: 'false',
  IsActive: 'true',
  Group: '',
  Function: '',
  Order: '',
  MemoryCost: '0',
  ChangeDescription: '',
  AcceptUnsupported: '[]',
};

export async function publishOneCell(portal: BenchPortal, Name: string): Promise<Activity> {
  const bytes = await buildWorkbook({
    sheets: [{ name: 'S', cells: { A1: 1, A2: { formula: 'A1+1', value: 2 } } }],
    names: { in_A: 'S!$A$1', out_B: 'S!$A$2' },
  });
  const { Id } = await portal.upload({ ...FIELDS, Name }, 'one.xlsx', bytes);
  return portal.call<Activity>('GET', `/api/activities/details/${Id}`);
}

/** The request body of a start. */
export const startOf = (activity: Activity) => ({
  ActivityId: activity.Id,
  ActivityVersion: activity.Version,
  UniqueId: null,
  Inputs: [{ ActivityParameterId: activity.Inputs[0]!.Id, Value: '41' }],
});
