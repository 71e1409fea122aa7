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
  if ((!isTable && !isList) || isShort || headers === 'table' || mark.Table !== undefined) return null;
  const isHeading = info && (isTable ? headers === 'inside' : info.HeaderRows + info.HeaderCols > 0);
  const [yes, no] = isTable ? [t('Headings'), t('Data')] : [t('The title of the list'), t('A value')];
  const own = isHeading === undefined || mark.Options.Headers !== undefined ? null : isHeading ? yes : no;
  return (
    <OptionSelect
      mark={mark}
      option="Headers"
      label={isTable ? t('First row') : t('First cell')}
      automatic={own}
      choices={[
        { value: 'TRUE', label: yes },
        { value: 'FALSE', label: no },
      ]}
      onChange={onChange}
    />
  );
}
