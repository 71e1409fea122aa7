import { Button, HTMLSelect } from '@blueprintjs/core';
import { useMemo } from 'react';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import type { ChoiceChange } from './list-choice.ts';
import { offeredSchemasAndGroups, type ListChoice, type ListRow, type State, type Whose } from './list-rows.ts';

interface ListFiltersProps {
  /** All rows, unfiltered. */
  rows: readonly ListRow[];
  choice: ListChoice;
  change: (parts: ChoiceChange) => void;
  /** Number of rows that match the filters. */
  found: number;
}

const STATE_TEXT: Record<State, string> = {
  running: t('Running or queued'),
  succeeded: t('Succeeded'),
  warned: t('Succeeded with warnings'),
  failed: t('Failed'),
  cancelled: t('Cancelled'),
  never: t('Not run yet'),
};

const WHOSE_TEXT: Record<Whose, string> = {
  favourites: t('My favourites'),
  recent: t('Recently run by me'),
  own: t('Published by me'),
};

/** The filters of the table. */
export function ListFilters({ rows, choice, change, found }: ListFiltersProps) {
  const { schemas, groups } = useMemo(() => offeredSchemasAndGroups(rows), [rows]);
  const { schema, group, state, whose, search } = choice;
  const isNarrowed = schema !== null || group !== null || state !== null || whose !== null || search !== '';
  return (
    <div className="rs-list-filters">
      <Choice
        label={t('Schema')}
        all={t('All schemas')}
        value={schema}
        options={schemas.map(({ name, title }) => ({ value: name, label: title }))}
        onChange={(value) => change({ schema: value })}
      />
      <Choice
        label={t('Group')}
        all={t('All groups')}
        value={group}
        options={groups.map((name) => ({ value: name, label: name }))}
        onChange={(value) => change({ group: value })}
      />
      <Choice
        label={t('Outcome of the last run')}
        all={t('All outcomes')}
        value={state}
        options={optionsOf(STATE_TEXT)}
        onChange={(value) => change({ state: value })}
      />
      <Choice
        label={t('Show')}
        all={t("Everyone's")}
        value={whose}
        options={optionsOf(WHOSE_TEXT)}
        onChange={(value) => change({ whose: value })}
      />
      <span className="rs-muted" role="status">
        {isNarrowed
          ? t('{found} of {rowsCount}', { found: numberText(found), rowsCount: numberText(rows.length) })
          : t('{rowsCount} in total', { rowsCount: numberText(rows.length) })}
      </span>
      {isNarrowed && (
        <Button
          variant="minimal"
          text={t('Clear')}
          aria-label={t('Clear filters')}
          onClick={() => change({ schema: null, group: null, state: null, whose: null, q: null })}
        />
      )}
    </div>
  );
}

const optionsOf = (texts: Record<string, string>): { value: string; label: string }[] =>
  Object.entries(texts).map(([value, label]) => ({ value, label }));

interface ChoiceProps {
  label: string;
  /** Label of the option that does not filter. */
  all: string;
  value: string | null;
  options: { value: string; label: string }[];
  onChange: (value: string | null) => void;
}

function Choice({ label, all, value, options, onChange }: ChoiceProps) {
  return (
    <HTMLSelect
      aria-label={label}
      value={value ?? ''}
      options={[{ value: '', label: all }, ...options]}
      onChange={(event) => onChange(event.currentTarget.value || null)}
    />
  );
}
