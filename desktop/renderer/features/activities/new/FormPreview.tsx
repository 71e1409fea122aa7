import { useMemo } from 'react';
import type { Activity } from '#shared/contract/activities.ts';
import type { Input } from '#shared/contract/parameters.ts';
import type { InspectedWorkbook } from '#shared/contract/workbook-inspection.ts';
import { isFileInput } from '#shared/codecs/input-form.ts';
import { isHiddenInput } from '#renderer/features/runs/form/form-inputs.ts';
import { createRunForm } from '#renderer/features/runs/form/run-form-store.ts';
import { RunInput } from '#renderer/features/runs/form/RunInput.tsx';
import { t } from '#renderer/language/translate.ts';
import '#renderer/features/runs/form/run-form.css';

interface FormPreviewProps {
  inputs: InspectedWorkbook['Inputs'];
  name: string;
  description: string;
}

/** The form that those who run the activity will fill in. What needs the server to be filled in is only shown. */
export function FormPreview({ inputs, name, description }: FormPreviewProps) {
  const activity = useMemo(() => activityOf(inputs), [inputs]);
  const store = useMemo(() => createRunForm(activity, {}, {}), [activity]);
  return (
    <div className="rs-preview">
      <h3>{name || t('The activity')}</h3>
      {description !== '' && <p className="rs-muted">{description}</p>}
      {activity.Inputs.filter((input) => !isHiddenInput(input)).map((input) => (
        <RunInput key={input.Id} store={store} input={input} locked={needsServer(input)} />
      ))}
    </div>
  );
}

/** Lists, conditions and files are fetched from or sent to an activity that is not there yet. */
const needsServer = ({ Info }: Input): boolean =>
  isFileInput(Info) || Info.CellUsages.includes('Condition') || Info.Pickers.some(({ Type }) => Type !== 'None');

function activityOf(inputs: InspectedWorkbook['Inputs']): Activity {
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
    Inputs: inputs.map((input, index) => ({
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
