import { HTMLSelect } from '@blueprintjs/core';
import { CHECKLIST_DESCRIPTION_MAX, CHECKLIST_GROUP_MAX, CHECKLIST_NAME_MAX } from '#shared/rules/checklist-rules.ts';
import { useActivities } from '#renderer/features/activities/use-activities.ts';
import { t } from '#renderer/language/translate.ts';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { SuggestedField } from '#renderer/ui/SuggestedField.tsx';
import type { WorkflowFields } from './new-workflow.ts';
import { StartFrom } from './StartFrom.tsx';

export const NAME_FIELD = 'workflow-name';

interface NewWorkflowFieldsProps {
  fields: WorkflowFields;
  write: (change: Partial<WorkflowFields>) => void;
  schemas: readonly string[];
  /** What is wrong with the name; null until the workflow was submitted. */
  nameIssue: string | null;
  onCopy: (id: number) => Promise<void>;
}

/** Name, schema and other fields of a workflow that was never saved, in one line where they fit. */
export function NewWorkflowFields({ fields, write, schemas, nameIssue, onCopy }: NewWorkflowFieldsProps) {
  const groups = useActivities().data?.Groups ?? [];
  return (
    <div className="rs-workflow-new">
      <TextField
        id={NAME_FIELD}
        label={t('Workflow name')}
        required
        value={fields.Name}
        maxLength={CHECKLIST_NAME_MAX}
        cuts
        onChange={(Name) => write({ Name })}
        error={nameIssue}
      />
      <FormField label={t('Schema')} required>
        {({ intent: _intent, ...field }) => (
          <HTMLSelect
            {...field}
            fill
            value={fields.Schema}
            onChange={({ currentTarget }) => write({ Schema: currentTarget.value })}
            options={[...schemas]}
          />
        )}
      </FormField>
      <TextField
        label={t('Description')}
        value={fields.Description}
        maxLength={CHECKLIST_DESCRIPTION_MAX}
        cuts
        onChange={(Description) => write({ Description })}
      />
      <SuggestedField
        label={t('Group')}
        value={fields.Group}
        maxLength={CHECKLIST_GROUP_MAX}
        cuts
        suggestions={groups}
        onChange={(Group) => write({ Group })}
      />
      <StartFrom onCopy={onCopy} />
    </div>
  );
}
