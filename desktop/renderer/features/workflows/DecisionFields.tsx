import { Button } from '@blueprintjs/core';
import { Filter } from '@blueprintjs/icons';
import { useState } from 'react';
import type { WorkflowStepData } from '#shared/contract/workflows.ts';
import { conditionIssue, type ConditionColumn } from '#shared/codecs/condition-columns.ts';
import { draftOf } from '#renderer/ui/condition/condition-draft.ts';
import type { PickerSource } from '#renderer/ui/picker/picker-source.ts';
import { t } from '#renderer/language/translate.ts';
import { TextField } from '#renderer/ui/FormField.tsx';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { decisionExpression } from '#shared/rules/workflows/source-reads.ts';
import { formulaNames } from './formula-names.ts';
import { conditionColumns, valueOffers } from './offered-sources.ts';
import type { StepPartProps } from './step-part.ts';
import { StepValues } from './StepValues.tsx';

const ConditionEditor = lazyPart(
  async () => (await import('#renderer/ui/condition/ConditionEditor.tsx')).ConditionEditor,
);

type Decision = Extract<WorkflowStepData, { Kind: 'Decision' }>;

const CONDITION_MAX = 4000;

/** Fields of a decision: the values that it uses, and their condition. */
export function DecisionFields({ draft, step, isReadOnly, write }: StepPartProps<Decision>) {
  const [isOpen, setOpen] = useState(false);
  const { graph, activities } = draft;
  const columns = conditionColumns(graph, step.Values, activities);
  const isFormula = decisionExpression(step) !== null;
  // The server checks formulas, and types that only it knows.
  const isLeftToServer = isFormula || step.Values.some(({ From }) => From.Kind === 'Expression');
  const issue = step.Condition.trim() === '' || isLeftToServer ? null : conditionIssue(step.Condition, columns);
  return (
    <fieldset className="rs-workflow-inputs">
      <legend className="rs-workflow-legend">{t('Decides based on')}</legend>
      <StepValues
        draft={draft}
        step={step}
        isReadOnly={isReadOnly}
        write={write}
        groups={valueOffers(graph, step.Key, activities)}
        noneText={t('No earlier step returns a single value.')}
        formulas={formulaNames(graph, step.Key, activities)}
      />
      <TextField
        label={t('Condition')}
        helper={t(
          'The result, yes or no, determines which of the following steps run. A condition that begins with = is a formula.',
        )}
        error={issue}
        rows={2}
        value={step.Condition}
        maxLength={CONDITION_MAX}
        disabled={isReadOnly}
        onChange={(Condition) => write({ Condition }, 'Condition')}
      />
      {!isReadOnly && columns.length > 0 && !isLeftToServer && (
        <Button icon={<Filter />} text={t('Edit condition')} onClick={() => setOpen(true)} />
      )}
      {isOpen && (
        <ConditionEditor
          name={step.Name}
          columns={columns}
          initial={draftOf(step.Condition, columns)}
          valuesOf={noValues}
          onClose={() => setOpen(false)}
          onDone={(Condition) => {
            setOpen(false);
            write({ Condition });
          }}
        />
      )}
    </fieldset>
  );
}

/** There are no values to pick from, because they are known only at run time. */
const noValues = ({ Name }: ConditionColumn): PickerSource => ({
  key: ['workflow decision', Name],
  preventOtherValues: false,
  blank: false,
  opensAtValue: false,
  load: () => Promise.resolve({ Items: [], HasMore: false, HasMorePrecedingItems: false }),
  show: (value) => value,
  seek: (text) => text,
});
