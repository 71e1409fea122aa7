import { useMemo } from 'react';
import type { InspectedWorkbook } from '#shared/contract/workbook-inspection.ts';
import { isHiddenInput } from '#renderer/features/run-form/form-inputs.ts';
import { createRunForm } from '#renderer/features/run-form/run-form-store.ts';
import { RunInput } from '#renderer/features/run-form/fields/RunInput.tsx';
import { t } from '#renderer/language/translate.ts';
import { activityOf, needsServer } from './preview-activity.ts';
import '#renderer/features/run-form/run-form.css';

interface FormPreviewProps {
  inputs: InspectedWorkbook['Inputs'];
  name: string;
  description: string;
}

/** Preview of the run form. Inputs that need the server are read-only. */
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
