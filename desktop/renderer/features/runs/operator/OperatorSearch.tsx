import { Button, HTMLSelect } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { listActivities } from '#shared/contract/activities.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { DateField } from '#renderer/ui/date/DateField.tsx';
import { isIsoDay } from '#renderer/ui/date/iso-day.ts';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import type { OperatorFilter } from './operator-filter.ts';

type Fields = Pick<OperatorFilter, 'name' | 'schema' | 'by' | 'error' | 'from' | 'to'>;

const NOTHING: Fields = { name: '', schema: '', by: '', error: '', from: '', to: '' };

interface OperatorSearchProps {
  filter: OperatorFilter;
  onSearch: (fields: Partial<OperatorFilter>) => void;
}

/** Searches runs by activity, schema, person, error and day. Nothing is requested until Search, or Enter in a field. */
export function OperatorSearch({ filter, onSearch }: OperatorSearchProps) {
  const { name, schema, by, error, from, to } = filter;
  const [fields, setFields] = useState<Fields>({ name, schema, by, error, from, to });
  const [isTried, setTried] = useState(false);
  const set = (change: Partial<Fields>): void => setFields((before) => ({ ...before, ...change }));
  const search = (): void => {
    const isWrong = isNoDay(fields.from) || isNoDay(fields.to);
    setTried(isWrong);
    if (isWrong) return;
    const hasDays = fields.from !== '' || fields.to !== '';
    onSearch({ ...fields, ...(hasDays ? { period: null } : {}) });
  };
  const day = (label: string, key: 'from' | 'to'): ReactNode => (
    <FormField label={label} error={isTried && isNoDay(fields[key]) ? t('Value must be a date') : null}>
      {(field) => <DateField {...field} value={fields[key]} onChange={(value) => set({ [key]: value })} />}
    </FormField>
  );
  return (
    <form
      className="rs-history-search"
      onSubmit={(event) => {
        event.preventDefault();
        search();
      }}
    >
      <div className="rs-history-search-line rs-operator-search">
        <TextField
          label={t('Activity')}
          value={fields.name}
          onChange={(value) => set({ name: value })}
          maxLength={100}
        />
        <SchemaField value={fields.schema} onChange={(value) => set({ schema: value })} />
        <TextField label={t('Run By')} value={fields.by} onChange={(value) => set({ by: value })} maxLength={100} />
        <TextField
          label={t('Text of the error')}
          value={fields.error}
          onChange={(value) => set({ error: value })}
          maxLength={200}
        />
        {day(t('From'), 'from')}
        {day(t('To'), 'to')}
      </div>
      <div className="rs-bar">
        <Button type="submit" intent="primary" text={t('Search')} />
        <Button
          text={t('Clear')}
          onClick={() => {
            setFields(NOTHING);
            setTried(false);
            onSearch(NOTHING);
          }}
        />
      </div>
    </form>
  );
}

const isNoDay = (text: string): boolean => text !== '' && !isIsoDay(text);

function SchemaField({ value, onChange }: { value: string; onChange: (schema: string) => void }) {
  const query = useQuery({ ...queryOf(listActivities), staleTime: 60_000 });
  const schemas = query.data?.Schemas ?? [];
  const isUnknown = value !== '' && schemas.every(({ Name }) => Name !== value);
  return (
    <FormField label={t('Schema')}>
      {(field) => (
        <>
          <HTMLSelect {...field} fill value={value} onChange={(event) => onChange(event.currentTarget.value)}>
            <option value="">{t('All Schemas')}</option>
            {schemas.map(({ Name, DisplayName }) => (
              <option key={Name} value={Name}>
                {DisplayName}
              </option>
            ))}
            {isUnknown && <option value={value}>{value}</option>}
          </HTMLSelect>
          <FetchFailure query={query} text={t('The schemas could not be loaded.')} />
        </>
      )}
    </FormField>
  );
}
