import { HTMLSelect } from '@blueprintjs/core';
import {
  CHECKLIST_DESCRIPTION_MAX,
  CHECKLIST_GROUP_MAX,
  CHECKLIST_NAME_MAX,
  type ChecklistIssue,
} from '#shared/rules/checklist-rules.ts';
import { orderIssue, orderNote } from '#renderer/ui/order-field.ts';
import { t } from '#renderer/language/translate.ts';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { SuggestedField } from '#renderer/ui/SuggestedField.tsx';
import type { ChecklistDraft } from './checklist-draft.ts';
import '#renderer/features/activities/editor/editor.css';

interface ChecklistFieldsProps {
  draft: ChecklistDraft;
  write: (change: Partial<ChecklistDraft>) => void;
  /** Schemas that a new checklist can be assigned to. */
  schemas: readonly string[];
  groups: readonly string[];
  isNew: boolean;
  isLocked: boolean;
  /** Empty until the form was submitted. */
  issues: readonly ChecklistIssue[];
}

export const fieldId = (field: ChecklistIssue['field']): string => `checklist-${field}`;

export function ChecklistFields({ draft, write, schemas, groups, isNew, isLocked, issues }: ChecklistFieldsProps) {
  return (
    <>
      <TextField
        id={fieldId('Name')}
        label={t('Checklist name')}
        required
        value={draft.Name}
        maxLength={CHECKLIST_NAME_MAX}
        cuts
        disabled={isLocked}
        onChange={(Name) => write({ Name })}
        error={issues.find(({ field }) => field === 'Name')?.message ?? null}
      />
      {isNew ? (
        <FormField label={t('Schema')} required>
          {({ intent: _intent, ...field }) => (
            <HTMLSelect
              {...field}
              fill
              value={draft.Schema}
              onChange={(event) => write({ Schema: event.currentTarget.value })}
              options={[...schemas]}
            />
          )}
        </FormField>
      ) : (
        <TextField label={t('Schema')} value={draft.Schema} onChange={() => undefined} readOnly />
      )}
      <TextField
        label={t('Description')}
        rows={3}
        value={draft.Description}
        maxLength={CHECKLIST_DESCRIPTION_MAX}
        cuts
        disabled={isLocked}
        onChange={(Description) => write({ Description })}
        helper={t('{descriptionCount} of {max} characters', {
          descriptionCount: draft.Description.length,
          max: CHECKLIST_DESCRIPTION_MAX,
        })}
      />
      <div className="rs-columns">
        <SuggestedField
          label={t('Group')}
          value={draft.Group}
          maxLength={CHECKLIST_GROUP_MAX}
          cuts
          suggestions={groups}
          disabled={isLocked}
          onChange={(Group) => write({ Group })}
        />
        <TextField
          id={fieldId('Order')}
          label={t('Order')}
          inputMode="numeric"
          value={draft.Order}
          disabled={isLocked}
          onChange={(Order) => write({ Order })}
          helper={orderNote(draft.Order)}
          error={orderIssue(draft.Order)}
        />
      </div>
    </>
  );
}
