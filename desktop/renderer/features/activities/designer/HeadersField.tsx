import type { Mark } from '#shared/contract/designs.ts';
import type { InputInfo, OutputInfo, RangeType } from '#shared/contract/parameters.ts';
import type { HeaderSource } from '#shared/rules/parameter-kinds.ts';
import { t } from '#renderer/language/translate.ts';
import { blockOf } from './marks.ts';
import { OptionSelect } from './OptionFields.tsx';

interface HeadersFieldProps {
  mark: Mark;
  /** The server's analysis of the mark; undefined until it is known. */
  info: InputInfo | OutputInfo | undefined;
  headers: HeaderSource | undefined;
  onChange: (mark: Mark) => void;
}

/** Chooses whether the first row of a table holds its headings, or the first cell of a list its title. */
export function HeadersField({ mark, info, headers, onChange }: HeadersFieldProps) {
  const shape = (mark.Options.RangeType as RangeType | undefined) ?? info?.RangeType;
  const { top, left, bottom, right } = blockOf(mark);
  const isTable = shape === 'RangeWithColumnHeaders';
  const isList = shape === 'SingleColumnOfSimilarValues' || shape === 'SingleRowOfSimilarValues';
  const isShort = isTable ? top === bottom : top === bottom && left === right;
  // An Excel table always has its own headings.
  const isUseless = (!isTable && !isList) || isShort || headers === 'table' || mark.Table !== undefined;
  // Show the field anyway if a choice is stored that no longer fits the cells, so that the author can remove it.
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
