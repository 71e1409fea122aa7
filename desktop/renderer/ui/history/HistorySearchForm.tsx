import { Button } from '@blueprintjs/core';
import { Plus } from '@blueprintjs/icons';
import { useState } from 'react';
import { t } from '#renderer/language/translate.ts';
import { DateField } from '#renderer/ui/date/DateField.tsx';
import { isIsoDay } from '#renderer/ui/date/iso-day.ts';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { draftsOf, newDraft, readDraft, type ConditionDraft } from './condition-drafts.ts';
import { ConditionRow } from './ConditionRow.tsx';
import type { HistoryFilter, SearchedParameter } from './history-filter.ts';
import './history.css';

const MAX_CONDITIONS = 10;

interface HistorySearchFormProps {
  filter: HistoryFilter;
  /** Inputs and outputs that can be searched; empty in the history of all activities. */
  parameters: readonly SearchedParameter[];
  onSearch: (filter: HistoryFilter) => void;
}

/** Search form: who ran, when, and with which values. Nothing is requested until Search, or Enter in a field. */
export function HistorySearchForm({ filter, parameters, onSearch }: HistorySearchFormProps) {
  const [by, setBy] = useState(filter.by);
  const [from, setFrom] = useState(filter.from);
  const [to, setTo] = useState(filter.to);
  const [drafts, setDrafts] = useState(() => draftsOf(filter.values, parameters));
  const [isTried, setTried] = useState(false);
  const change = (key: number, draft: ConditionDraft): void =>
    setDrafts(drafts.map((other) => (other.key === key ? draft : other)));
  const search = (): void => {
    const read = drafts.map((draft) => readDraft(draft, parameters));
    const isWrong = [from, to].some(isNoDay) || read.some((each) => each !== null && 'error' in each);
    setTried(isWrong);
    if (isWrong) return;
    onSearch({
      ...filter,
      by,
      from,
      to,
      values: read.flatMap((each) => (each && 'condition' in each ? [each.condition] : [])),
    });
  };
  const clear = (): void => {
    setBy('');
    setFrom('');
    setTo('');
    setDrafts([]);
    setTried(false);
    onSearch({ statuses: filter.statuses, by: '', from: '', to: '', values: [] });
  };
  return (
    <form
      className="rs-history-search"
      onSubmit={(event) => {
        event.preventDefault();
        search();
      }}
    >
      <div className="rs-history-search-line">
        <TextField label={t('Run By')} value={by} onChange={setBy} maxLength={100} />
        <Day label={t('From')} value={from} isTried={isTried} onChange={setFrom} />
        <Day label={t('To')} value={to} isTried={isTried} onChange={setTo} />
      </div>
      {drafts.map((draft, index) => (
        <ConditionRow
          key={draft.key}
          number={index + 1}
          draft={draft}
          parameters={parameters}
          error={isTried ? errorOf(draft, parameters) : null}
          onChange={(changed) => change(draft.key, changed)}
          onRemove={() => setDrafts(drafts.filter((other) => other !== draft))}
        />
      ))}
      <div className="rs-bar">
        <Button type="submit" intent="primary" text={t('Search')} />
        <Button text={t('Clear')} onClick={clear} />
        {parameters.length > 0 && drafts.length < MAX_CONDITIONS && (
          <Button
            icon={<Plus />}
            text={t('Add value')}
            onClick={() => setDrafts([...drafts, newDraft(parameters[0])])}
          />
        )}
      </div>
    </form>
  );
}

function errorOf(draft: ConditionDraft, parameters: readonly SearchedParameter[]): string | null {
  const read = readDraft(draft, parameters);
  return read && 'error' in read ? read.error : null;
}

const isNoDay = (text: string): boolean => text !== '' && !isIsoDay(text);

interface DayProps {
  label: string;
  value: string;
  isTried: boolean;
  onChange: (day: string) => void;
}

function Day({ label, value, isTried, onChange }: DayProps) {
  return (
    <FormField label={label} error={isTried && isNoDay(value) ? t('Value must be a date') : null}>
      {(field) => <DateField {...field} value={value} onChange={onChange} />}
    </FormField>
  );
}
