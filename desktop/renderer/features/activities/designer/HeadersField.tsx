import type { Mark } from '#shared/contract/designs.ts';
import type { InputInfo, OutputInfo, RangeType } from '#shared/contract/parameters.ts';
import type { HeaderSource } from '#shared/rules/parameter-kinds.ts';
import { t } from '#renderer/language/translate.ts';
import { blockOf } from './marks.ts';
import { OptionSelect } from './OptionFields.tsx';

interface HeadersFieldProps {
  mark: Mark;
  /** What the portal makes of the mark; undefined until that is known. */
  info: InputInfo | OutputInfo | undefined;
  headers: HeaderSource | undefined;
  onChange: (mark: Mark) => void;
}

/** Whether the first row of a table is its headings, or the first cell of a list its title. */
export function HeadersField({ mark, info, headers, onChange }: HeadersFieldProps) {
  const shape = (mark.Options.RangeType as RangeType | undefined) ?? info?.RangeType;
  const { top, left, bottom, right } = blockOf(mark);
  const isTable = shape === 'RangeWithColumnHeaders';
  const isList = shape === 'SingleColumnOfSimilarValues' || shape === 'SingleRowOfSimilarValues';
  const isShort = isTable ? top === bottom : top === bottom && left === right;
  // The headings of an Excel table are its own.
  const isUseless = (!isTable && !isList) || isShort || headers === 'table' || mark.Table !== undefined;
  // A choice that does not fit the cells any more can be taken back.
  if (isUseless && mark.Options.Headers === undefined) return null;
  const isHeading = info && (isList ? info.HeaderRows + info.HeaderCols > 0 : headers === 'inside');
  const [yes, no] = isList ? [t('The title of the list'), t('A value')] : [t('Headings'), t('Data')];
  const own = isHeading === undefined || mark.Options.Headers !== undefined ? null : isHeading ? yes : no;
  return (
    <OptionSelect
      mark={mark}
      option="Headers"
      label={isList ? t('First cell') : t('First row')}
      automatic={own}
      choices={[
        { value: 'TRUE', label: yes },
        { value: 'FALSE', label: no },
      ]}
      onChange={onChange}
    />
  );
}
