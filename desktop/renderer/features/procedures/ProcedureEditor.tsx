import { Checkbox, HTMLSelect } from '@blueprintjs/core';
import type { ProcedureSettings } from '#shared/contract/procedure-settings.ts';
import type { ProcedureDescription } from '#shared/contract/procedures.ts';
import { t } from '#renderer/language/translate.ts';
import { FormField } from '#renderer/ui/FormField.tsx';
import { ParameterRow } from './ParameterRow.tsx';
import { editedParameters, isAsked, withMoved, withParameter } from './procedure-settings.ts';
import { ResultsEditor } from './ResultsEditor.tsx';

interface ProcedureEditorProps {
  description: ProcedureDescription;
  settings: ProcedureSettings;
  onChange: (settings: ProcedureSettings) => void;
}

/** Edits the inputs and outputs of a procedure, and how it is called. */
export function ProcedureEditor({ description, settings, onChange }: ProcedureEditorProps) {
  const edited = editedParameters(description, settings);
  const asked = edited.filter(({ parameter }) => isAsked(parameter)).length;
  return (
    <div className="rs-procedure">
      <section aria-labelledby="procedure-parameters">
        <h3 id="procedure-parameters">{t('Parameters')}</h3>
        <p className="rs-muted">
          {edited.length === 0
            ? t('The procedure has no parameters to fill in.')
            : t(
                'The form asks for {asked} of {editedCount} parameters, in this order. Open a parameter to name, describe or hide it.',
                {
                  asked,
                  editedCount: edited.length,
                },
              )}
        </p>
        {edited.map((one, index) => (
          <ParameterRow
            key={one.parameter.Name}
            edited={one}
            isFirst={index === 0}
            isLast={index === edited.length - 1}
            onChange={(change) => onChange(withParameter(edited, settings, one.parameter.Name, change))}
            onMove={(by) => onChange(withMoved(edited, settings, one.parameter.Name, by))}
          />
        ))}
      </section>
      <ResultsEditor description={description} settings={settings} onChange={onChange} />
      <CallOptions description={description} settings={settings} onChange={onChange} />
    </div>
  );
}

function CallOptions({ description, settings, onChange }: ProcedureEditorProps) {
  const write = (change: Partial<ProcedureSettings>): void => onChange({ ...settings, ...change });
  return (
    <section aria-labelledby="procedure-options">
      <h3 id="procedure-options">{t('Options')}</h3>
      {description.Kind === 'Procedure' && (
        <Checkbox
          label={t('The procedure commits its own changes')}
          checked={settings.CommitsByItself}
          onChange={(event) => write({ CommitsByItself: event.currentTarget.checked })}
        />
      )}
      {settings.CommitsByItself && (
        <p className="rs-field-helper rs-procedure-note">
          {t(
            'The call does not run in a transaction: changes that were committed before an error or a cancellation remain.',
          )}
        </p>
      )}
      {description.HasReturnCode && (
        <Checkbox
          label={t('A return code other than 0 fails the run')}
          checked={settings.ReturnCodeFails}
          onChange={(event) => write({ ReturnCodeFails: event.currentTarget.checked })}
        />
      )}
      <FormField
        label={t('Results with many rows')}
        helper={t('Results that are too large for an output are saved in a file of this type.')}
      >
        {({ intent: _intent, ...field }) => (
          <HTMLSelect
            {...field}
            value={settings.LargeResultFormat}
            onChange={(event) =>
              write({ LargeResultFormat: event.currentTarget.value as ProcedureSettings['LargeResultFormat'] })
            }
            options={[
              { value: 'xlsx', label: t('Excel (.xlsx)') },
              { value: 'csv', label: t('CSV (.csv)') },
            ]}
          />
        )}
      </FormField>
    </section>
  );
}
