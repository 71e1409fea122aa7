import { Button } from '@blueprintjs/core';
import { Cross, Filter } from '@blueprintjs/icons';
import { useState } from 'react';
import type { ConditionColumn } from '#shared/codecs/condition-columns.ts';
import { conditionIssue } from '#shared/codecs/condition-columns.ts';
import type { ColumnFilter, ValueColumn } from '#shared/contract/tableviews.ts';
import { draftOf } from '#renderer/ui/condition/condition-draft.ts';
import type { PickerSource } from '#renderer/ui/picker/picker-source.ts';
import { said, t } from '#renderer/language/translate.ts';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { fetchValues } from './fetch-values.ts';

const ConditionEditor = lazyPart(
  async () => (await import('#renderer/ui/condition/ConditionEditor.tsx')).ConditionEditor,
);

interface ViewConditionProps {
  viewId: number;
  columns: readonly ValueColumn[];
  condition: string;
  onChange: (condition: string) => void;
}

/** A condition with AND, OR and NOT, for cases that filters alone cannot express because all of them must hold. */
export function ViewCondition({ viewId, columns, condition, onChange }: ViewConditionProps) {
  const [isOpen, setOpen] = useState(false);
  const compared = columns.flatMap(({ ColumnName, ConditionKind }): ConditionColumn[] =>
    ConditionKind === null ? [] : [{ Name: ColumnName, Kind: ConditionKind }],
  );
  if (compared.length === 0) return null;
  const issue = condition === '' ? null : conditionIssue(condition, compared);
  return (
    <div className="rs-view-condition" role="group" aria-label={t('Condition')}>
      {condition !== '' && <code className="rs-view-condition-text">{condition}</code>}
      <Button
        variant="minimal"
        icon={<Filter />}
        text={condition === '' ? t('Add condition') : t('Edit condition')}
        onClick={() => setOpen(true)}
      />
      {condition !== '' && (
        <Button variant="minimal" icon={<Cross />} aria-label={t('Remove condition')} onClick={() => onChange('')} />
      )}
      {issue !== null && (
        <span className="rs-field-error" role="alert">
          {said(issue)}
        </span>
      )}
      {isOpen && (
        <ConditionEditor
          name={t('the rows')}
          columns={compared}
          initial={draftOf(condition, compared)}
          valuesOf={(column) => valuesOf(viewId, columns, column)}
          onClose={() => setOpen(false)}
          onDone={(text) => {
            setOpen(false);
            onChange(text);
          }}
        />
      )}
    </div>
  );
}

/** Returns the values of the first rows for picking. For a text column, only values that start with the typed text. */
function valuesOf(viewId: number, columns: readonly ValueColumn[], { Name, Kind }: ConditionColumn): PickerSource {
  const index = columns.findIndex(({ ColumnName }) => ColumnName === Name);
  return {
    key: ['table view', viewId, Name],
    preventOtherValues: false,
    blank: false,
    opensAtValue: false,
    load: async ({ Value }, signal) => {
      const typed: ColumnFilter = { ColumnName: Name, Operator: 'startsWith', Values: [Value ?? ''] };
      const Filters = Kind === 'Text' && Value ? [typed] : [];
      const { Rows } = await fetchValues(viewId, { Filters }, signal);
      const values = new Set(Rows.flatMap((row) => row[index] ?? []));
      return {
        Items: [...values].map((one) => ({ Value: one })),
        HasMore: false,
        HasMorePrecedingItems: false,
      };
    },
    show: (value) => value,
    seek: (text) => text,
  };
}
