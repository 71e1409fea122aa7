import { Checkbox, HTMLSelect } from '@blueprintjs/core';
import {
  ACTIVITY_NAME_MAX,
  activityNameIssue,
  DESCRIPTION_MAX,
  FUNCTION_MAX,
  GROUP_MAX,
} from '#shared/rules/activity-rules.ts';
import { t } from '#renderer/language/translate.ts';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { SuggestedField } from '#renderer/ui/SuggestedField.tsx';
import type { EditorFields } from './editor-fields.ts';
import { orderIssue, orderNote } from '#renderer/ui/order-field.ts';

export interface ActivityFieldsProps {
  fields: EditorFields;
  write: (change: Partial<EditorFields>) => void;
  isEditing: boolean;
  /** Schemas that a new activity can be assigned to. */
  schemas: readonly string[];
  groups: readonly string[];
  functions: readonly string[];
  /** True after the form was submitted. Errors are shown after typing or submitting. */
  showErrors: boolean;
}

export function ActivityFields(props: ActivityFieldsProps) {
  return props.isEditing ? (
    <>
      <NameFields {...props} />
      <DescriptionField {...props} />
      <FurtherFields {...props} />
    </>
  ) : (
    <>
      <NameFields {...props} />
      <details className="rs-more" open={props.showErrors && hasFoldedIssue(props.fields)}>
        <summary>{t('More')}</summary>
        <DescriptionField {...props} />
        <GroupField {...props} />
        <FurtherFields {...props} />
      </details>
    </>
  );
}

/** True if one of the fields that a new activity has under More is invalid. */
const hasFoldedIssue = ({ Order, Description, Group, Function: purpose }: EditorFields): boolean =>
  orderIssue(Order) !== null ||
  Description.length > DESCRIPTION_MAX ||
  Group.length > GROUP_MAX ||
  purpose.length > FUNCTION_MAX;

function NameFields(props: ActivityFieldsProps) {
  const { fields, write, showErrors } = props;
  return (
    <>
      <TextField
        id="activity-name"
        label={t('Activity Name')}
        required
        value={fields.Name}
        maxLength={ACTIVITY_NAME_MAX}
        onChange={(Name) => write({ Name })}
        error={showErrors || fields.Name !== '' ? activityNameIssue(fields.Name) : null}
      />
      <SchemaField {...props} />
    </>
  );
}

function DescriptionField({ fields, write }: ActivityFieldsProps) {
  return (
    <TextField
      label={t('Description')}
      rows={3}
      value={fields.Description}
      maxLength={DESCRIPTION_MAX}
      onChange={(Description) => write({ Description })}
      helper={t('{descriptionCount} of {max} characters', {
        descriptionCount: fields.Description.length,
        max: DESCRIPTION_MAX,
      })}
    />
  );
}

function GroupField({ fields, write, groups }: ActivityFieldsProps) {
  return (
    <SuggestedField
      label={t('Group')}
      value={fields.Group}
      maxLength={GROUP_MAX}
      suggestions={groups}
      onChange={(Group) => write({ Group })}
    />
  );
}

/** Fields that most activities leave empty. */
function FurtherFields(props: ActivityFieldsProps) {
  const { fields, write, isEditing } = props;
  return (
    <>
      <Checkbox
        label={t('Prevent simultaneous runs')}
        checked={fields.SingleRun}
        onChange={(event) => write({ SingleRun: event.currentTarget.checked })}
      />
      {isEditing && (
        <Checkbox
          label={t('Active')}
          checked={fields.IsActive}
          onChange={(event) => write({ IsActive: event.currentTarget.checked })}
        />
      )}
      <div className="rs-columns">
        {isEditing && <GroupField {...props} />}
        <SuggestedField
          label={t('Function')}
          value={fields.Function}
          maxLength={FUNCTION_MAX}
          suggestions={props.functions}
          onChange={(purpose) => write({ Function: purpose })}
        />
        <TextField
          id="activity-order"
          label={t('Order')}
          inputMode="numeric"
          value={fields.Order}
          onChange={(Order) => write({ Order })}
          helper={orderNote(fields.Order)}
          error={orderIssue(fields.Order)}
        />
        <TextField
          label={t('Memory Cost')}
          inputMode="decimal"
          value={fields.MemoryCost}
          onChange={(MemoryCost) => write({ MemoryCost })}
        />
      </div>
    </>
  );
}

function SchemaField({ fields, write, isEditing, schemas }: ActivityFieldsProps) {
  if (isEditing) return <TextField label={t('Schema')} value={fields.Schema} onChange={() => undefined} readOnly />;
  return (
    <FormField label={t('Schema')} required>
      {({ intent: _intent, ...field }) => (
        <HTMLSelect
          {...field}
          fill
          value={fields.Schema}
          onChange={(event) => write({ Schema: event.currentTarget.value })}
          options={[...schemas]}
        />
      )}
    </FormField>
  );
}
