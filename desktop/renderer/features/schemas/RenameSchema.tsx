import { Button, Dialog, DialogBody, DialogFooter, InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { renameSchema, type ManagedSchema } from '#shared/contract/schemas.ts';
import { SCHEMA_DISPLAY_NAME_MAX, schemaDisplayNameIssue } from '#shared/rules/schema-rules.ts';
import { call } from '#renderer/api/client.ts';
import { useFormChange } from '#renderer/ui/query/use-change.ts';
import { t } from '#renderer/language/translate.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { FormField } from '#renderer/ui/FormField.tsx';

interface RenameSchemaProps {
  schema: ManagedSchema;
  touched: readonly Endpoint[];
  onClose: () => void;
}

export function RenameSchema({ schema, touched, onClose }: RenameSchemaProps) {
  const [DisplayName, setDisplayName] = useState(schema.DisplayName);
  const { isBusy, change, failure } = useFormChange(touched);
  const issue = schemaDisplayNameIssue(DisplayName);
  const save = async (): Promise<void> => {
    if (issue !== null) return;
    const isDone = await change(() => call(renameSchema, { body: { Name: schema.Name, DisplayName } }));
    if (isDone) onClose();
  };
  return (
    <Dialog
      isOpen
      title={t('Rename {name}', { name: schema.Name })}
      onClose={onClose}
      canOutsideClickClose={!isBusy}
      icon={null}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <DialogBody>
          <FormField
            label={t('Display name')}
            error={issue}
            limit={{ value: DisplayName, max: SCHEMA_DISPLAY_NAME_MAX }}
            helper={t('Rights, programs and settings continue to use the name {name}.', { name: schema.Name })}
          >
            {(field) => <InputGroup {...field} autoFocus fill value={DisplayName} onValueChange={setDisplayName} />}
          </FormField>
          <ErrorSummary {...failure} />
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button text={t('Cancel')} onClick={onClose} disabled={isBusy} />
              <Button type="submit" intent="primary" text={t('Save')} loading={isBusy} disabled={issue !== null} />
            </>
          }
        />
      </form>
    </Dialog>
  );
}
