import { Button } from '@blueprintjs/core';
import type { Mark } from '#shared/contract/designs.ts';
import type { CellUsage, InputInfo, OutputInfo } from '#shared/contract/parameters.ts';
import { t } from '#renderer/language/translate.ts';
import { withOption } from './marks.ts';
import { ChoiceField } from './OptionFields.tsx';
import { usageChoices, usageText, type Choice } from './option-texts.ts';

interface KindFieldsProps {
  mark: Mark;
  info: InputInfo | OutputInfo | undefined;
  onChange: (mark: Mark) => void;
}

/** More fields would not fit the panel; the author can write further columns on the Portal sheet. */
const MAX_COLUMNS = 60;

/** Chooses the kind of value: one for a single kind, or one per column of a table. */
export function KindFields({ mark, info, onChange }: KindFieldsProps) {
  const written = mark.Options.CellUsages;
  const usages = info?.CellUsages ?? [];
  const write = (text: string): void => onChange(withOption(mark, 'CellUsages', text));
  if (usages.length <= 1) {
    const own =
      written === undefined && usages[0]
        ? t('As set in cells: {text}', { text: usageText(usages[0]) })
        : t('As set in cells');
    return (
      <ChoiceField
        label={t('Kind of value')}
        value={written ?? ''}
        choices={[{ value: '', label: own }, ...choicesWith(mark, written)]}
        onChange={write}
      />
    );
  }
  const change = (col: number, usage: string): void =>
    write(usages.map((one, at) => (at === col ? usage : one)).join(','));
  return (
    <fieldset className="rs-kinds">
      <legend>{t('Kinds of the columns')}</legend>
      {usages.slice(0, MAX_COLUMNS).map((usage, col) => (
        <ChoiceField
          // oxlint-disable-next-line react/no-array-index-key -- columns are identified by their position
          key={col}
          label={info?.ColumnHeaderValues[col] || t('Column {number}', { number: col + 1 })}
          value={usage}
          choices={choicesWith(mark, usage)}
          onChange={(next) => change(col, next)}
        />
      ))}
      {written !== undefined && (
        <Button size="small" variant="minimal" text={t('Use setting from cells')} onClick={() => write('')} />
      )}
    </fieldset>
  );
}

/** Returns the choices, plus the current value if only the Portal sheet can set it. */
function choicesWith({ Role }: Mark, present: string | undefined): Choice[] {
  const choices = usageChoices(Role);
  if (present === undefined || present === '' || choices.some(({ value }) => value === present)) return choices;
  return [...choices, { value: present, label: usageText(present as CellUsage) }];
}
