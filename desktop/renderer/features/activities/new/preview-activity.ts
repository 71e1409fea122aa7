/** The activity that a workbook would become, as far as its form needs it. */
import type { Activity } from '#shared/contract/activities.ts';
import type { Input } from '#shared/contract/parameters.ts';
import type { InspectedWorkbook } from '#shared/contract/workbook-inspection.ts';
import { isFileInput } from '#shared/codecs/input-form.ts';

/** Lists, conditions and files are fetched from or sent to an activity that is not there yet. */
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
    // No activity has such numbers: fields of the page around it keep theirs.
    Inputs: inputs.map(({ Headers: _headers, Items: _items, ...input }, index) => ({
      ...input,
      Id: index + 1,
      ActivityId: 0,
      HasAccess: true,
      PresetValue: null,
      PresetValueError: null,
    })),
    Outputs: [],
    ActivityLinks: [],
    Schedule: null,
    RunRetention: null,
    LastRun: null,
    IsRunning: false,
  };
}
