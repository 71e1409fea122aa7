import { Button } from '@blueprintjs/core';
import type { Mark } from '#shared/contract/designs.ts';
import type { InputInfo, OutputInfo } from '#shared/contract/parameters.ts';
import { t } from '#renderer/language/translate.ts';
import { KindChips } from './KindChips.tsx';
import { withOption } from './marks.ts';
import { ChoiceField } from './OptionFields.tsx';
import { usageChoicesWith, usageText } from './option-texts.ts';

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
        ? t('As set in the cells: {text}', { text: usageText(usages[0]) })
        : t('As set in the cells');
    return (
      <ChoiceField
        label={t('Kind of value')}
        value={written ?? ''}
        choices={[{ value: '', label: own }, ...usageChoicesWith(mark.Role, written)]}
        onChange={write}
      />
    );
  }
  return (
    <fieldset className="rs-kinds">
      <legend>{t('Kinds of the columns')}</legend>
      <div className="rs-column-chips">
        {info && <KindChips mark={mark} info={info} limit={MAX_COLUMNS} onChange={onChange} />}
      </div>
      {written !== undefined && (
        <Button size="small" variant="minimal" text={t('Use the setting of the cells')} onClick={() => write('')} />
      )}
    </fieldset>
  );
}
