import { Button, HTMLSelect } from '@blueprintjs/core';
import { Add, Cross } from '@blueprintjs/icons';
import { useId } from 'react';
import { COLUMN_KINDS, type ColumnKind } from '#shared/codecs/condition-columns.ts';
import { isOfFiles, kindOfUsage } from '#shared/rules/workflows/expression-types.ts';
import type { WorkflowInput } from '#shared/rules/workflows/types.ts';
import { t } from '#renderer/language/translate.ts';
import { ConstantField } from './ConstantField.tsx';
import { FormulaField } from './FormulaField.tsx';
import { formulaNames } from './formula-names.ts';
import { freeInputName, inputShape } from './offered-sources.ts';
import type { WorkflowDraft } from './use-workflow-draft.ts';

const KIND_TEXT: Record<ColumnKind, string> = {
  Text: t('Text'),
  Number: t('Number'),
  Date: t('Date'),
  Boolean: t('Yes or no'),
};

interface InputDefaultProps {
  draft: WorkflowDraft;
  index: number;
  isReadOnly: boolean;
}

/** The value that an input of the workflow takes if none is entered, and the type of an input that only formulas use. */
export function InputDefault({ draft, index, isReadOnly }: InputDefaultProps) {
  const { graph, activities } = draft;
  const input = graph.Inputs[index]!;
  const shape = inputShape(graph, input.Name, activities);
  const write = (next: WorkflowInput, burst?: string): void =>
    draft.change((before) => ({ ...before, Inputs: before.Inputs.with(index, next) }), burst);
  if (!shape || isOfFiles(shape)) return null;
  const isSingle = shape.RangeType === 'SingleCell';
  return (
    <div className="rs-workflow-own">
      {input.Type !== undefined && (
        <HTMLSelect
          aria-label={t('Type of input {name}', { name: input.Name })}
          value={input.Type}
          disabled={isReadOnly}
          onChange={({ currentTarget }) => write({ Name: input.Name, Type: currentTarget.value as ColumnKind })}
        >
          {COLUMN_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {KIND_TEXT[kind]}
            </option>
          ))}
        </HTMLSelect>
      )}
      {input.Type !== undefined && !isReadOnly && (
        <Button
          variant="minimal"
          icon={<Cross />}
          aria-label={t('Remove input {name}', { name: input.Name })}
          onClick={() => draft.change((before) => ({ ...before, Inputs: before.Inputs.toSpliced(index, 1) }))}
        />
      )}
      <HTMLSelect
        aria-label={t('Default of input {name}', { name: input.Name })}
        value={input.Default?.Kind ?? ''}
        disabled={isReadOnly}
        onChange={({ currentTarget }) =>
          write(withDefaultOf(input, currentTarget.value, kindOfUsage(shape.CellUsages[0])))
        }
      >
        <option value="">{t('No default')}</option>
        {isSingle && <option value="Constant">{t('Default: a constant')}</option>}
        <option value="Expression">{t('Default: a formula')}</option>
      </HTMLSelect>
      <DefaultField
        draft={draft}
        input={input}
        kind={kindOfUsage(shape.CellUsages[0])}
        isReadOnly={isReadOnly}
        onChange={(Default, isTyped) => write({ ...input, Default }, isTyped ? `default ${index}` : undefined)}
      />
    </div>
  );
}

function withDefaultOf(before: WorkflowInput, kind: string, of: ColumnKind): WorkflowInput {
  const { Default: _before, ...input } = before;
  if (kind === 'Expression') return { ...input, Default: { Kind: kind, Formula: '' } };
  if (kind !== 'Constant') return input;
  return { ...input, Default: { Kind: kind, Value: of === 'Boolean' ? false : of === 'Text' ? '' : null } };
}

interface DefaultFieldProps {
  draft: WorkflowDraft;
  input: WorkflowInput;
  kind: ColumnKind;
  isReadOnly: boolean;
  onChange: (value: NonNullable<WorkflowInput['Default']>, isTyped: boolean) => void;
}

function DefaultField({ draft, input, kind, isReadOnly, onChange }: DefaultFieldProps) {
  const id = useId();
  const { Default, Name } = input;
  const label = t('Value of the default of {name}', { name: Name });
  if (Default?.Kind === 'Constant') {
    return (
      <ConstantField
        id={id}
        label={label}
        usage={kind}
        value={Default.Value}
        disabled={isReadOnly}
        onChange={(Value) => onChange({ Kind: 'Constant', Value }, true)}
      />
    );
  }
  if (Default?.Kind !== 'Expression') return null;
  return (
    <FormulaField
      id={id}
      label={label}
      value={Default.Formula}
      names={formulaNames(draft.graph, null, draft.activities)}
      disabled={isReadOnly}
      onChange={(Formula, isTyped) => onChange({ Kind: 'Expression', Formula }, isTyped)}
    />
  );
}

/** Adds an input that no activity takes, for formulas and decisions. */
export function AddInput({ draft }: { draft: WorkflowDraft }) {
  return (
    <Button
      variant="minimal"
      size="small"
      icon={<Add />}
      text={t('Add an input for formulas')}
      onClick={() =>
        draft.change((graph) => ({
          ...graph,
          Inputs: [...graph.Inputs, { Name: freeInputName(graph, t('Value')), Type: 'Number' }],
        }))
      }
    />
  );
}
