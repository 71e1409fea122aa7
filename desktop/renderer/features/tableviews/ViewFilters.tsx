import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core';
import { Add, Cross } from '@blueprintjs/icons';
import { useCallback, useEffect, useId, useRef, useState, type ClipboardEvent } from 'react';
import {
  FILTER_VALUE_MAX,
  MAX_FILTER_VALUES,
  type ColumnFilter,
  type FilterOperator,
  type ValueColumn,
} from '#shared/contract/tableviews.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { FieldError } from '#renderer/ui/FormField.tsx';
import { LimitedInput } from '#renderer/ui/LimitedInput.tsx';
import { fitsAddress, listedValues, withPastedCells } from './value-list.ts';
import { draftOf, filterOf, OPERATOR_TEXT, OPERATORS, type FilterDraft } from './view-address.ts';

/** In milliseconds. Source: specification of activities, section 9. */
const FILTER_DELAY = 500;

interface ViewFiltersProps {
  columns: readonly ValueColumn[];
  filters: readonly ColumnFilter[];
  onChange: (filters: readonly ColumnFilter[]) => void;
}

interface Draft extends FilterDraft {
  key: number;
}

/** Maximum number of filters per call. The keys of added filters start here, so that they do not collide. */
const MAX_FILTERS = 100;

const draftsOf = (filters: readonly ColumnFilter[]): Draft[] =>
  filters.map((filter, key) => ({ key, ...draftOf(filter) }));

/** Filters by column. Typing is debounced. */
export function ViewFilters({ columns, filters, onChange }: ViewFiltersProps) {
  const [drafts, setDrafts] = useState<Draft[]>(() => draftsOf(filters));
  const nextKey = useRef(MAX_FILTERS);
  const filtersText = JSON.stringify(filters);
  const [seen, setSeen] = useState(filtersText);
  // The filters that were last reported from here. Other filters come from a chosen own view or the browser's history.
  const [reported, setReported] = useState(filtersText);
  if (filtersText !== seen) {
    setSeen(filtersText);
    if (filtersText !== reported) {
      setReported(filtersText);
      setDrafts(draftsOf(filters));
    }
  }
  const report = useCallback((): void => {
    const completeFilters = drafts.flatMap((draft) => filterOf(draft) ?? []);
    const text = JSON.stringify(completeFilters);
    if (text === reported) return;
    setReported(text);
    onChange(completeFilters);
  }, [drafts, reported, onChange]);
  useEffect(() => {
    const timer = setTimeout(report, FILTER_DELAY);
    return () => clearTimeout(timer);
  }, [report]);

  const add = (): void => {
    const { ColumnName, FilterKind } = columns[0]!;
    const draft: Draft = { key: nextKey.current, ColumnName, Operator: OPERATORS[FilterKind][0]!, texts: ['', ''] };
    nextKey.current += 1;
    setDrafts((before) => [...before, draft]);
  };
  const write = (key: number, changed: Partial<FilterDraft>): void =>
    setDrafts((before) => before.map((draft) => (draft.key === key ? { ...draft, ...changed } : draft)));
  return (
    // On blur the text is complete, so report it immediately: an export right afterwards then includes it.
    <div className="rs-view-filters" role="group" aria-label={t('Filters')} onBlur={report}>
      {drafts.map((draft, index) => (
        <FilterRow
          key={draft.key}
          number={index + 1}
          draft={draft}
          columns={columns}
          onChange={(changed) => write(draft.key, changed)}
          onRemove={() => setDrafts((before) => before.filter(({ key }) => key !== draft.key))}
        />
      ))}
      <Button icon={<Add />} variant="minimal" text={t('Add filter')} onClick={add} />
    </div>
  );
}

interface FilterRowProps {
  number: number;
  draft: FilterDraft;
  columns: readonly ValueColumn[];
  onChange: (changed: Partial<FilterDraft>) => void;
  onRemove: () => void;
}

function FilterRow({ number, draft, columns, onChange, onRemove }: FilterRowProps) {
  const kind = columns.find(({ ColumnName }) => ColumnName === draft.ColumnName)?.FilterKind ?? 'Text';
  const operators = OPERATORS[kind];
  const chooseColumn = (ColumnName: string): void => {
    const next = columns.find((column) => column.ColumnName === ColumnName)?.FilterKind ?? 'Text';
    const Operator = OPERATORS[next].includes(draft.Operator) ? draft.Operator : OPERATORS[next][0]!;
    onChange({ ColumnName, Operator, ...(next === kind ? {} : { texts: ['', ''] as const }) });
  };
  return (
    <div className="rs-view-filter">
      <HTMLSelect
        aria-label={t('Column of filter {number}', { number })}
        value={draft.ColumnName}
        onChange={(event) => chooseColumn(event.currentTarget.value)}
        options={columns.map(({ ColumnName, DisplayName }) => ({ value: ColumnName, label: DisplayName }))}
      />
      <HTMLSelect
        aria-label={t('Comparison of filter {number}', { number })}
        value={draft.Operator}
        onChange={(event) => onChange({ Operator: event.currentTarget.value as FilterOperator })}
        options={operators.map((value) => ({ value, label: OPERATOR_TEXT[value] }))}
      />
      <FilterValues number={number} draft={draft} kind={kind} onChange={(texts) => onChange({ texts })} />
      <Button
        icon={<Cross />}
        variant="minimal"
        aria-label={t('Remove filter {number}', { number })}
        onClick={onRemove}
      />
    </div>
  );
}

const HINTS: Record<ValueColumn['FilterKind'], string> = {
  Text: t('Text'),
  Number: '0.00',
  Date: t('yyyy-mm-dd'),
  Boolean: '',
};

const TRUTHS = [
  { value: '', label: '' },
  { value: 'TRUE', label: t('TRUE') },
  { value: 'FALSE', label: t('FALSE') },
];

interface FilterValuesProps {
  number: number;
  draft: FilterDraft;
  kind: ValueColumn['FilterKind'];
  onChange: (texts: FilterDraft['texts']) => void;
}

function FilterValues({ number, draft: { Operator, texts }, kind, onChange }: FilterValuesProps) {
  if (Operator === 'blank' || Operator === 'notBlank') return null;
  const [first, second] = texts;
  if (kind === 'Boolean') {
    return (
      <HTMLSelect
        aria-label={t('Value of filter {number}', { number })}
        value={first}
        onChange={(event) => onChange([event.currentTarget.value, ''])}
        options={TRUTHS}
      />
    );
  }
  if (Operator === 'in')
    return <ValueList number={number} text={first} onChange={(text) => onChange([text, second])} />;
  return (
    <>
      <LimitedInput
        aria-label={t('Value of filter {number}', { number })}
        placeholder={HINTS[kind]}
        value={first}
        maxLength={FILTER_VALUE_MAX}
        onValueChange={(text) => onChange([text, second])}
      />
      {Operator === 'between' && (
        <>
          {' '}
          {t('and')}{' '}
          <LimitedInput
            aria-label={t('Second value of filter {number}', { number })}
            placeholder={HINTS[kind]}
            value={second}
            maxLength={FILTER_VALUE_MAX}
            onValueChange={(text) => onChange([first, text])}
          />
        </>
      )}
    </>
  );
}

/** A list that is too long is not sent at all, rather than in part. */
function listIssue(values: readonly string[]): string | null {
  const count = numberText(values.length);
  if (values.length > MAX_FILTER_VALUES)
    return t('{count} values: at most {max} can be compared', { count, max: numberText(MAX_FILTER_VALUES) });
  return fitsAddress(values)
    ? null
    : t('{count} values do not fit into the address of the page, which contains the filters', { count });
}

interface ValueListProps {
  number: number;
  text: string;
  onChange: (text: string) => void;
}

/** Takes typed and pasted values. A text that is too long stays whole, and the field says so. */
function ValueList({ number, text, onChange }: ValueListProps) {
  const paste = (event: ClipboardEvent<HTMLInputElement>): void => {
    const { selectionStart, selectionEnd } = event.currentTarget;
    const pasted = event.clipboardData.getData('text/plain');
    const list = withPastedCells(text, selectionStart ?? text.length, selectionEnd ?? text.length, pasted);
    if (list === null) return;
    event.preventDefault();
    onChange(list);
  };
  const noteId = useId();
  const issue = listIssue(listedValues(text));
  return (
    <div className="rs-limited-input">
      <InputGroup
        aria-label={t('Value of filter {number}', { number })}
        aria-describedby={issue === null ? undefined : noteId}
        aria-invalid={issue !== null}
        intent={issue === null ? 'none' : 'danger'}
        placeholder={t('one; two; three')}
        value={text}
        onValueChange={onChange}
        onPaste={paste}
      />
      <FieldError id={noteId} error={issue} />
    </div>
  );
}
