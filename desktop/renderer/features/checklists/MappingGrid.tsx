import { Button, Checkbox, InputGroup } from '@blueprintjs/core';
import { memo, useCallback, useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { CHECKLIST_INPUT_NAME_MAX } from '#shared/rules/checklist-rules.ts';
import { orderIssue, orderNote } from '#renderer/ui/order-field.ts';
import { said, t } from '#renderer/language/translate.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { FieldError, FormField } from '#renderer/ui/FormField.tsx';
import { mapByName, mapInputs, setOrder, unmapInputs, type DraftInput } from './checklist-draft.ts';
import { typeText } from './input-type.ts';

type Change = (change: (inputs: readonly DraftInput[]) => readonly DraftInput[]) => void;

interface MappingGridProps {
  /** In the order of their activities. */
  inputs: readonly DraftInput[];
  activityNames: ReadonlyMap<number, string>;
  isLocked: boolean;
  onChange: Change;
}

const INPUT_NAME_FIELD = 'checklist-Inputs';

/**
 * Chooses which activity inputs the checklist asks for, and by which names. Inputs with the same name are asked for
 * once.
 */
export function MappingGrid({ inputs, activityNames, isLocked, onChange }: MappingGridProps) {
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [isOnlyUnmapped, setOnlyUnmapped] = useState(false);
  const shown = isOnlyUnmapped ? inputs.filter(({ InputName }) => InputName === '') : inputs;
  const unmapped = inputs.filter(({ InputName }) => InputName === '').length;
  const chosen = useMemo(
    () => new Set(inputs.filter(({ Id }) => selected.has(Id)).map(({ Id }) => Id)),
    [inputs, selected],
  );
  const isAll = shown.length > 0 && shown.every(({ Id }) => chosen.has(Id));
  const toggle = useCallback(
    (id: number) =>
      setSelected((before) => {
        const next = new Set(before);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
    [],
  );
  const rename = useRename(inputs, onChange);
  return (
    <>
      {!isLocked && (
        <MappingTools
          inputs={inputs}
          chosen={chosen}
          unmapped={unmapped}
          onChange={(change) => {
            onChange(change);
            setSelected(new Set());
          }}
        />
      )}
      <div className="rs-bar">
        <span className="rs-muted" role="status">
          {unmapped === 0
            ? t('All inputs are mapped')
            : t('{unmapped} of {inputsCount} not mapped', { unmapped, inputsCount: inputs.length })}
          {chosen.size > 0 && t(', {size} selected', { size: chosen.size })}
        </span>
        <Checkbox
          className="rs-bar-check"
          label={t('Only unmapped inputs')}
          checked={isOnlyUnmapped}
          onChange={(event) => setOnlyUnmapped(event.currentTarget.checked)}
        />
      </div>
      <div className="rs-mapping-scroll" role="region" aria-label={t('Inputs of the activities')} tabIndex={0}>
        <table className="rs-mapping">
          <thead>
            <tr>
              <th scope="col">
                <Checkbox
                  aria-label={t('Select all')}
                  checked={isAll}
                  indeterminate={!isAll && chosen.size > 0}
                  disabled={isLocked}
                  onChange={() => setSelected(isAll ? new Set() : new Set(shown.map(({ Id }) => Id)))}
                />
              </th>
              <th scope="col">{t('Activity')}</th>
              <th scope="col">{t('Input')}</th>
              <th scope="col">{t('Type')}</th>
              <th scope="col">{t('Input Name')}</th>
              <th scope="col">{t('Order')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((input) => (
              <MappingRow
                key={input.Id}
                input={input}
                activity={activityNames.get(input.ActivityId) ?? ''}
                isSelected={chosen.has(input.Id)}
                isLocked={isLocked}
                toggle={toggle}
                rename={rename}
                onChange={onChange}
              />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

interface MappingToolsProps {
  inputs: readonly DraftInput[];
  chosen: ReadonlySet<number>;
  unmapped: number;
  onChange: Change;
}

function MappingTools({ inputs, chosen, unmapped, onChange }: MappingToolsProps) {
  const [name, setName] = useState('');
  const [issue, setIssue] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const map = (): void => {
    const result = chosen.size === 0 ? { issue: t('Select inputs first.') } : mapInputs(inputs, chosen, name);
    setAttempt(attempt + 1);
    setIssue('issue' in result ? result.issue : null);
    if ('issue' in result) return;
    onChange(() => result.inputs);
    setName('');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    map();
  };
  const change = (how: Parameters<Change>[0]): void => {
    setIssue(null);
    onChange(how);
  };
  return (
    <>
      <div className="rs-mapping-tools">
        <FormField label={t('Input Name')} id={INPUT_NAME_FIELD}>
          {(field) => (
            <InputGroup
              {...field}
              intent={issue === null ? 'none' : 'danger'}
              value={name}
              autoComplete="off"
              onValueChange={setName}
              onKeyDown={onKeyDown}
            />
          )}
        </FormField>
        <Button intent="primary" variant="outlined" text={t('Map Selected')} onClick={map} />
        <Button
          text={t('Unmap selected')}
          disabled={!inputs.some(({ Id, InputName }) => InputName !== '' && chosen.has(Id))}
          onClick={() => change((before) => unmapInputs(before, chosen))}
        />
        <Button
          text={t('Map by name')}
          title={t('Maps each unmapped input to an input with its own name')}
          disabled={unmapped === 0}
          onClick={() => change(mapByName)}
        />
      </div>
      <ErrorSummary title={issue} attempt={attempt} />
    </>
  );
}

interface MappingRowProps {
  input: DraftInput;
  activity: string;
  isSelected: boolean;
  isLocked: boolean;
  toggle: (id: number) => void;
  rename: Rename;
  onChange: Change;
}

/** Memoized, because forty activities may have a thousand inputs. */
const MappingRow = memo(function MappingRow({
  input,
  activity,
  isSelected,
  isLocked,
  toggle,
  rename,
  onChange,
}: MappingRowProps) {
  const { Id, Name, Info, InputName, Order } = input;
  const label = t('{name} of {activity}', { name: Name, activity });
  return (
    <tr className={InputName === '' ? 'is-unmapped' : undefined}>
      <td>
        <Checkbox
          aria-label={t('Select {label}', { label })}
          checked={isSelected}
          disabled={isLocked}
          onChange={() => toggle(Id)}
        />
      </td>
      <td>{activity}</td>
      <td>{Name}</td>
      <td className="rs-nowrap">{typeText(Info)}</td>
      <td>
        {InputName === '' ? (
          <span className="rs-muted">{t('Not mapped')}</span>
        ) : (
          <MappedName input={input} label={label} isLocked={isLocked} rename={rename} />
        )}
      </td>
      <td className="rs-mapping-order">
        {InputName !== '' && (
          <OrderInput
            label={t('Order of {inputName} ({label})', { inputName: InputName, label })}
            value={Order}
            isLocked={isLocked}
            onChange={(typed) => onChange((before) => setOrder(before, InputName, typed))}
          />
        )}
      </td>
    </tr>
  );
});

interface OrderInputProps {
  label: string;
  value: string;
  isLocked: boolean;
  onChange: (typed: string) => void;
}

function OrderInput({ label, value, isLocked, onChange }: OrderInputProps) {
  const noteId = useId();
  const issue = orderIssue(value);
  const note = orderNote(value);
  return (
    <>
      <InputGroup
        aria-label={label}
        aria-invalid={issue === null ? undefined : true}
        aria-describedby={issue === null && note === undefined ? undefined : noteId}
        intent={issue === null ? 'none' : 'danger'}
        inputMode="numeric"
        disabled={isLocked}
        value={value}
        onValueChange={onChange}
      />
      <FieldError id={noteId} error={issue} />
      {note !== undefined && (
        <div id={noteId} className="rs-field-helper">
          {note}
        </div>
      )}
    </>
  );
}

interface MappedNameProps {
  input: DraftInput;
  label: string;
  isLocked: boolean;
  rename: Rename;
}

/**
 * Field for the input name. On blur, the new name is applied to all inputs with the old name. Applying it while typing
 * could merge them with another name.
 */
function MappedName({ input: { InputName }, label, isLocked, rename }: MappedNameProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const [issue, setIssue] = useState<string | null>(null);
  const apply = (): void => {
    if (typed !== null) setIssue(rename(InputName, typed));
    setTyped(null);
  };
  return (
    <>
      <InputGroup
        aria-label={t('Input name of {label}', { label })}
        intent={issue === null && InputName.length <= CHECKLIST_INPUT_NAME_MAX ? 'none' : 'danger'}
        disabled={isLocked}
        value={typed ?? InputName}
        onValueChange={setTyped}
        onBlur={apply}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setTyped(null);
          if (event.key !== 'Enter') return;
          event.preventDefault();
          apply();
        }}
      />
      {issue !== null && (
        <span className="rs-field-error" role="alert">
          {said(issue)}
        </span>
      )}
    </>
  );
}

/** Renames all inputs that have a name. Returns the problem if they cannot be renamed. */
type Rename = (from: string, to: string) => string | null;

/**
 * Returns a function that stays the same while the grid is mounted, so that a row renders again only if its own data
 * changes.
 */
function useRename(inputs: readonly DraftInput[], onChange: Change): Rename {
  const latest = useRef({ inputs, onChange });
  useEffect(() => {
    latest.current = { inputs, onChange };
  });
  return useCallback((from, to) => {
    const { inputs: before, onChange: change } = latest.current;
    const ids = new Set(before.filter(({ InputName }) => InputName === from).map(({ Id }) => Id));
    const result = mapInputs(before, ids, to);
    if ('issue' in result) return result.issue;
    change(() => result.inputs);
    return null;
  }, []);
}
