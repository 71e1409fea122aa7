import { Button, Checkbox, HTMLSelect } from '@blueprintjs/core';
import { Add, Cross } from '@blueprintjs/icons';
import { useState } from 'react';
import type { ConditionColumn } from '#shared/codecs/condition-columns.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import {
  isList,
  newComparison,
  newGroup,
  OPERATORS,
  type DraftComparison,
  type DraftGroup,
  type DraftNode,
  type Operator,
} from './condition-draft.ts';
import type { PickerSource } from '#renderer/ui/picker/picker-source.ts';
import { PickerInput } from '#renderer/ui/picker/PickerInput.tsx';

export interface GroupContext {
  columns: readonly ConditionColumn[];
  valuesOf: (column: ConditionColumn) => PickerSource;
  change: (id: number, change: (node: DraftNode) => DraftNode | null) => void;
}

interface GroupProps {
  group: DraftGroup;
  context: GroupContext;
  /** Position of the group, such as '2.1'; '' for the root. */
  path: string;
}

const childPath = (path: string, index: number): string => (path === '' ? `${index + 1}` : `${path}.${index + 1}`);

export function ConditionGroup({ group, context, path }: GroupProps) {
  const name = path === '' ? t('Condition') : t('Group {path}', { path });
  const change = (changes: Partial<DraftGroup>): void =>
    context.change(group.id, (node) => ({ ...node, ...changes }) as DraftGroup);
  return (
    <fieldset className="rs-condition-group">
      <legend className="rs-visually-hidden">{name}</legend>
      <div className="rs-condition-head">
        <HTMLSelect
          aria-label={t('{name}: how its parts are joined', { name })}
          value={group.join}
          options={[
            { value: 'and', label: t('AND') },
            { value: 'or', label: t('OR') },
          ]}
          onChange={(event) => change({ join: event.currentTarget.value as DraftGroup['join'] })}
        />
        <Checkbox
          label={t('NOT')}
          aria-label={t('{name}: NOT', { name })}
          checked={group.negated}
          onChange={(event) => change({ negated: event.currentTarget.checked })}
        />
        <span className="rs-condition-space" />
        {path !== '' && <RemoveButton name={name} onClick={() => context.change(group.id, () => null)} />}
      </div>
      {group.of.map((part, index) =>
        part.kind === 'group' ? (
          <ConditionGroup key={part.id} group={part} context={context} path={childPath(path, index)} />
        ) : (
          <Comparison
            key={part.id}
            part={part}
            context={context}
            name={t('Comparison {number}', { number: childPath(path, index) })}
          />
        ),
      )}
      <div className="rs-condition-actions">
        <Button
          size="small"
          icon={<Add />}
          text={t('Add comparison')}
          onClick={() => change({ of: [...group.of, newComparison(context.columns)] })}
        />
        <Button
          size="small"
          icon={<Add />}
          text={t('Add group')}
          onClick={() => change({ of: [...group.of, newGroup([newComparison(context.columns)])] })}
        />
      </div>
    </fieldset>
  );
}

function RemoveButton({ name, onClick }: { name: string; onClick: () => void }) {
  return <Button variant="minimal" icon={<Cross />} aria-label={t('Remove {name}', { name })} onClick={onClick} />;
}

interface ComparisonProps {
  part: DraftComparison;
  context: GroupContext;
  name: string;
}

function Comparison({ part, context, name }: ComparisonProps) {
  const column = context.columns.find(({ Name }) => Name === part.column) ?? context.columns[0]!;
  const change = (changes: Partial<DraftComparison>): void =>
    context.change(part.id, (node) => ({ ...node, ...changes }) as DraftComparison);
  const setOperator = (operator: Operator): void => {
    const filled = part.values.filter((value) => value !== '');
    change({ operator, values: isList(operator) ? filled : [filled[0] ?? ''] });
  };
  return (
    <div className="rs-condition-row" role="group" aria-label={name}>
      <HTMLSelect
        aria-label={t('Column')}
        value={column.Name}
        options={context.columns.map(({ Name }) => Name)}
        onChange={(event) => change({ column: event.currentTarget.value })}
      />
      <HTMLSelect
        aria-label={t('Operator')}
        value={part.operator}
        options={[...OPERATORS]}
        onChange={(event) => setOperator(event.currentTarget.value as Operator)}
      />
      <div className="rs-condition-value">
        {isList(part.operator) ? (
          <ValueList values={part.values} source={context.valuesOf(column)} onChange={(values) => change({ values })} />
        ) : column.Kind === 'Boolean' ? (
          <BooleanValue value={part.values[0] ?? ''} onChange={(value) => change({ values: [value] })} />
        ) : (
          <PickerInput
            label={t('Value')}
            value={part.values[0] ?? ''}
            source={context.valuesOf(column)}
            onChange={(value) => change({ values: [value] })}
          />
        )}
      </div>
      <RemoveButton name={name} onClick={() => context.change(part.id, () => null)} />
    </div>
  );
}

function BooleanValue({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <HTMLSelect
      aria-label={t('Value')}
      value={value}
      options={[
        { value: '', label: t('blank') },
        { value: 'TRUE', label: t('TRUE') },
        { value: 'FALSE', label: t('FALSE') },
      ]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface ValueListProps {
  values: readonly string[];
  source: PickerSource;
  onChange: (values: readonly string[]) => void;
}

/** Values of IN, picked or typed one by one. */
function ValueList({ values, source, onChange }: ValueListProps) {
  const [text, setText] = useState('');
  const add = (value: string): void => {
    setText('');
    if (!values.includes(value)) onChange([...values, value]);
  };
  return (
    <>
      <PickerInput
        label={t('Add value')}
        value={text}
        source={source}
        onChange={setText}
        onPick={add}
        onBlur={() => text !== '' && add(text)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || text === '') return;
          event.preventDefault();
          add(text);
        }}
      />
      {values.length > 0 && (
        <div className="rs-condition-values">
          {values.map((value) => (
            <span key={value} className="rs-condition-chip">
              {value === '' ? t('blank') : value}
              <Button
                variant="minimal"
                size="small"
                icon={<Cross size={12} />}
                aria-label={t('Remove {value}', { value: value === '' ? t('blank') : value })}
                onClick={() => onChange(values.filter((one) => one !== value))}
              />
            </span>
          ))}
          <span className="rs-muted">
            {t('{valuesCount} items selected', { valuesCount: numberText(values.length) })}
          </span>
        </div>
      )}
    </>
  );
}
