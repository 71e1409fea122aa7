import { HTMLSelect } from '@blueprintjs/core';
import type { Mark } from '#shared/contract/designs.ts';
import type { InputInfo, OutputInfo } from '#shared/contract/parameters.ts';
import type { HeaderSource } from '#shared/rules/parameter-kinds.ts';
import { t } from '#renderer/language/translate.ts';
import { firstRowIsHeadings, kindsOf, withKind } from './column-kinds.ts';
import { withOption } from './marks.ts';
import { usageChoicesWith, type Choice } from './option-texts.ts';
import './kind-chips.css';

interface KindChipsProps {
  mark: Mark;
  info: InputInfo | OutputInfo;
  /** Maximum number of columns shown; a count replaces the rest. */
  limit: number;
  onChange: (mark: Mark) => void;
}

/** A chip for each column of a table, on which the author can change its kind. */
export function KindChips({ mark, info, limit, onChange }: KindChipsProps) {
  const kinds = kindsOf(mark, info);
  const more = kinds.length - limit;
  return (
    <>
      {kinds.slice(0, limit).map((kind, col) => (
        <Chip
          // oxlint-disable-next-line react/no-array-index-key -- columns are identified by their position
          key={col}
          label={info.ColumnHeaderValues[col] || t('Column {number}', { number: col + 1 })}
          value={kind}
          choices={usageChoicesWith(mark.Role, kind)}
          onChange={(next) => onChange(withKind(mark, info, col, next))}
        />
      ))}
      {more > 0 && <span className="rs-muted">{t('and {more} more columns', { more })}</span>}
    </>
  );
}

interface HeadersChipProps extends Omit<KindChipsProps, 'limit'> {
  headers: HeaderSource | undefined;
}

/** A chip that says whether the first row of a table is headings. Renders nothing if the author cannot choose it. */
export function HeadersChip({ mark, info, headers, onChange }: HeadersChipProps) {
  const isHeadings = firstRowIsHeadings(mark, info, headers);
  if (isHeadings === null) return null;
  return (
    <Chip
      label={t('First row')}
      value={isHeadings ? 'TRUE' : 'FALSE'}
      choices={[
        { value: 'TRUE', label: t('Headings') },
        { value: 'FALSE', label: t('Data') },
      ]}
      onChange={(text) => onChange(withOption(mark, 'Headers', text))}
    />
  );
}

interface ChipProps {
  label: string;
  value: string;
  choices: readonly Choice[];
  onChange: (value: string) => void;
}

function Chip({ label, value, choices, onChange }: ChipProps) {
  return (
    <label className="rs-chip">
      <span className="rs-chip-label" dir="auto" title={label}>
        {label}
      </span>
      <HTMLSelect
        minimal
        // The icon beside the choice would otherwise be part of the name.
        aria-label={label}
        value={value}
        options={[...choices]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  );
}
