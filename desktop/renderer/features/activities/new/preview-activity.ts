/** The activity that a workbook would become, as far as its form needs it. */
import type { Activity } from '#shared/contract/activities.ts';
import type { Input } from '#shared/contract/parameters.ts';
import type { InspectedWorkbook } from '#shared/contract/workbook-inspection.ts';
import { isFileInput } from '#shared/codecs/input-form.ts';
import { openInput } from '#shared/rules/open-input.ts';

/** True if the input needs an existing activity: lists, conditions and files are fetched from or sent to it. */
export const needsServer = ({ Info }: Input): boolean =>
  isFileInput(Info) || Info.CellUsages.includes('Condition') || Info.Pickers.some(({ Type }) => Type !== 'None');

export function activityOf(inputs: InspectedWorkbook['Inputs']): Activity {
  return {
    Id: 0,
    Revision: 0,
    Version: 1,
    Type: 'Workbook',
    ProcedureName: null,
    Schema: '',
    Name: '',
    Description: '',
    SingleRun: false,
    IsActive: true,
    Group: '',
    Function: '',
    Order: null,
    MemoryCost: 0,
    DisplayInfo: { RunActivityTitle: '', StartDisplayName: '', Classifications: [] },
    CanEdit: true,
    CanRun: true,
    // Numbers that no activity uses, so they do not collide with the fields of the surrounding page.
    Inputs: inputs.map(({ Headers: _headers, Items: _items, ...input }, index) =>
      openInput({ ...input, Id: index + 1, ActivityId: 0 }),
    ),
    Outputs: [],
    ActivityLinks: [],
    Schedule: null,
    RunRetention: null,
    LastRun: null,
    IsRunning: false,
  };
}
