import { Button, HTMLSelect, TextArea } from '@blueprintjs/core';
import { useRef, useState } from 'react';
import { EXPRESSION_MAX } from '#shared/rules/workflows/expression-names.ts';
import { t } from '#renderer/language/translate.ts';
import type { FormulaNames } from './formula-names.ts';

interface FormulaFieldProps {
  id: string;
  label: string;
  value: string;
  names: readonly FormulaNames[];
  disabled: boolean;
  /** @param isTyped false if a name was inserted */
  onChange: (formula: string, isTyped: boolean) => void;
}

const EXAMPLE = '=SUM([Step].[Table][Column]) * 1.1';

/** The field of a formula, with a list of the values that it can use. */
export function FormulaField({ id, label, value, names, disabled, onChange }: FormulaFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const noteId = `${id}-note`;
  const insert = (name: string): void => {
    const { selectionStart: from = value.length, selectionEnd: to = from } = field.current ?? {};
    onChange(value.slice(0, from) + name + value.slice(to), false);
    const end = from + name.length;
    // After the field shows the new formula.
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(end, end);
    });
  };
  return (
    <div className="rs-workflow-own">
      <TextArea
        id={id}
        aria-label={label}
        aria-describedby={noteId}
        inputRef={field}
        className="rs-mono"
        fill
        autoResize
        rows={2}
        spellCheck={false}
        placeholder={t('For example {formula}', { formula: EXAMPLE })}
        value={value}
        maxLength={EXPRESSION_MAX}
        disabled={disabled}
        onChange={({ currentTarget }) => onChange(currentTarget.value, true)}
      />
      {!disabled && names.length > 0 && <InsertName names={names} onInsert={insert} />}
      <div id={noteId} className="rs-field-helper">
        {t("A formula in Excel's language")}
      </div>
    </div>
  );
}

interface InsertNameProps {
  names: readonly FormulaNames[];
  onInsert: (name: string) => void;
}

/** The button confirms the choice, because the arrow keys already choose an item of a list that is closed. */
function InsertName({ names, onInsert }: InsertNameProps) {
  const [chosen, setChosen] = useState('');
  const isOffered = names.some((group) => group.names.includes(chosen));
  return (
    <div className="rs-workflow-choose">
      <HTMLSelect
        fill
        aria-label={t('Value to insert into the formula')}
        value={isOffered ? chosen : ''}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      >
        <option value="">{t('Choose a value…')}</option>
        {names.map(({ title, names: own }) => (
          <optgroup key={title} label={title}>
            {own.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </optgroup>
        ))}
      </HTMLSelect>
      <Button text={t('Insert')} disabled={!isOffered} onClick={() => onInsert(chosen)} />
    </div>
  );
}
