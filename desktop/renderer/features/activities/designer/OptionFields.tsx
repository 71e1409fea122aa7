/** Fields for the options of a mark. Each field edits one column of the Portal sheet. */
import { HTMLSelect } from '@blueprintjs/core';
import type { Mark, MarkOption } from '#shared/contract/designs.ts';
import { t } from '#renderer/language/translate.ts';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { withOption } from './marks.ts';
import type { Choice } from './option-texts.ts';

interface OptionProps {
  mark: Mark;
  option: MarkOption;
  label: string;
  onChange: (mark: Mark, burst?: string) => void;
}

interface TextOptionProps extends OptionProps {
  rows?: number;
  helper?: string;
}

export function TextOption({ mark, option, label, rows, helper, onChange }: TextOptionProps) {
  return (
    <TextField
      label={label}
      helper={helper}
      dir="auto"
      {...(rows === undefined ? {} : { rows })}
      value={mark.Options[option] ?? ''}
      maxLength={2000}
      onChange={(text) => onChange(withOption(mark, option, text), option)}
    />
  );
}

interface OptionSelectProps extends OptionProps {
  /** The value that the cells determine if nothing is chosen; null if unknown. */
  automatic: string | null;
  choices: readonly Choice[];
}

/** Select field whose first choice leaves the option to the cells. */
export function OptionSelect({ mark, option, label, automatic, choices, onChange }: OptionSelectProps) {
  const first = {
    value: '',
    label: automatic === null ? t('As set in the cells') : t('As set in the cells: {text}', { text: automatic }),
  };
  return (
    <ChoiceField
      label={label}
      value={mark.Options[option] ?? ''}
      choices={[first, ...choices]}
      onChange={(value) => onChange(withOption(mark, option, value))}
    />
  );
}

interface ChoiceFieldProps {
  label: string;
  value: string;
  choices: readonly Choice[];
  onChange: (value: string) => void;
}

export function ChoiceField({ label, value, choices, onChange }: ChoiceFieldProps) {
  return (
    <FormField label={label}>
      {({ intent: _intent, ...field }) => (
        <HTMLSelect
          {...field}
          fill
          value={value}
          options={[...choices]}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </FormField>
  );
}
