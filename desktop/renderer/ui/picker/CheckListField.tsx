import { Checkbox, InputGroup, Spinner } from '@blueprintjs/core';
import { Search } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { exactCell } from '#shared/codecs/exact-number.ts';
import type { FormCell } from '#shared/codecs/input-form.ts';
import { limitText, type CellKind } from '#shared/codecs/cell-text.ts';
import { said, t } from '#renderer/language/translate.ts';
import { groupItems, toggleValues, type PickerItem, type PickerSource } from './picker-source.ts';
import './pickers.css';

interface CheckListFieldProps {
  id: string;
  labelledBy: string;
  describedBy?: string;
  kind: CellKind;
  value: readonly FormCell[];
  source: PickerSource;
  disabled: boolean;
  onChange: (value: FormCell[]) => void;
}

/** A column of values, which users check individually or by group. */
export function CheckListField(props: CheckListFieldProps) {
  const { kind, source, disabled } = props;
  const [search, setSearch] = useState('');
  const query = useQuery({
    queryKey: ['picker-items', ...source.key],
    queryFn: ({ signal }) => source.load({ All: true }, signal),
    staleTime: 60_000,
  });
  const items = query.data?.Items ?? [];
  const chosen = props.value.map((cell) => itemOf(cell)).filter((text) => text !== '');
  const toggle = (values: string[], on: boolean): void => {
    const next = toggleValues(
      chosen,
      values,
      on,
      items.map((item) => item.Value),
    );
    props.onChange(next.map((item) => cellOf(item, kind)));
  };
  const known = new Set(items.map((item) => item.Value));
  const offered = [...items, ...chosen.filter((text) => !known.has(text)).map((Value): PickerItem => ({ Value }))];
  const shown = offered.filter((item) => source.show(item.Value).toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <div
      className="rs-check-list"
      role="group"
      id={props.id}
      tabIndex={-1}
      aria-labelledby={props.labelledBy}
      aria-describedby={props.describedBy}
    >
      <InputGroup
        type="search"
        leftIcon={<Search />}
        placeholder={t('Search')}
        aria-label={t('Search values')}
        value={search}
        onValueChange={setSearch}
        onKeyDown={(event) => {
          const [only] = shown;
          if (event.key !== 'Enter' || event.ctrlKey || search.trim() === '' || shown.length !== 1 || disabled) return;
          event.preventDefault();
          toggle([only!.Value], true);
          setSearch('');
        }}
      />
      <div className="rs-muted" role="status">
        {chosen.length > 0 ? t('{chosenCount} items selected', { chosenCount: chosen.length }) : ''}
      </div>
      {query.isPending && <Spinner size={18} aria-label={t('Loading values')} />}
      {query.error && <div className="rs-danger-text">{said(query.error.message)}</div>}
      <div className="rs-check-list-items">
        {groupItems(shown).map(({ group, items: members }) => (
          <CheckGroup
            key={group ?? ''}
            group={group}
            items={members}
            chosen={new Set(chosen)}
            disabled={disabled}
            show={source.show}
            onToggle={toggle}
          />
        ))}
      </div>
    </div>
  );
}

/** Returns the value as the list stores its items: numbers and dates as digits. */
function itemOf(cell: FormCell): string {
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  return cell === null ? '' : String(cell);
}

function cellOf(item: string, { usage, maxSize, isExact }: CellKind): FormCell {
  if (usage === 'Boolean') return item === 'TRUE';
  if (usage === 'Number' && isExact) return exactCell(item) ?? item;
  const number = item.trim() === '' ? Number.NaN : Number(item);
  if (usage === 'Number' || usage === 'Date') return Number.isFinite(number) ? number : item;
  return limitText(item, usage, maxSize);
}

interface CheckGroupProps {
  group: string | null;
  items: readonly PickerItem[];
  chosen: ReadonlySet<string>;
  disabled: boolean;
  show: (value: string) => string;
  onToggle: (values: string[], on: boolean) => void;
}

function CheckGroup({ group, items, chosen, disabled, show, onToggle }: CheckGroupProps) {
  const values = items.map((item) => item.Value);
  const count = values.filter((value) => chosen.has(value)).length;
  const boxes = values.map((value) => (
    <Checkbox
      key={value}
      label={value === '' ? t('blank') : show(value)}
      checked={chosen.has(value)}
      disabled={disabled}
      onChange={(event) => onToggle([value], event.currentTarget.checked)}
    />
  ));
  if (group === null) return boxes;
  return (
    <fieldset aria-label={group}>
      <Checkbox
        checked={count === values.length}
        indeterminate={count > 0 && count < values.length}
        disabled={disabled}
        onChange={() => onToggle(values, count < values.length)}
      >
        <strong>{group}</strong>
      </Checkbox>
      {boxes}
    </fieldset>
  );
}
