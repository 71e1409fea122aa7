import { Button, HTMLSelect } from '@blueprintjs/core';
import { Add, Cross } from '@blueprintjs/icons';
import type { WorkflowStepData } from '#shared/contract/workflows.ts';
import { EDGE_CONDITIONS, type WorkflowEdge, type EdgeCondition } from '#shared/rules/workflows/types.ts';
import { t } from '#renderer/language/translate.ts';
import type { StepPartProps } from './step-part.ts';
import { WHEN_TEXT } from './step-texts.ts';
import { usualEdge } from './workflow-draft.ts';

/** Returns the conditions that an edge from a step can have. */
const conditionsAfter = (before: WorkflowStepData | undefined): EdgeCondition[] =>
  EDGE_CONDITIONS.filter((when) => {
    const isOfDecision = when === 'yes' || when === 'no';
    if (before?.Kind === 'Decision') return isOfDecision || when === 'failure' || when === 'always';
    return !isOfDecision;
  });

/** Edits which steps the step follows, and under which conditions. */
export function EdgesEditor({ draft, step, isReadOnly, write }: StepPartProps) {
  const others = draft.graph.Steps.filter(({ Key }) => Key !== step.Key);
  const set = (index: number, edge: WorkflowEdge): void => write({ After: step.After.with(index, edge) });
  const free = others.find(({ Key }) => !step.After.some((edge) => edge.Step === Key));
  return (
    <fieldset className="rs-workflow-edges">
      <legend className="rs-field-label">{t('Comes after')}</legend>
      {step.After.length === 0 && <p className="rs-muted">{t('No step: it starts immediately.')}</p>}
      {step.After.map((edge, index) => {
        const before = others.find(({ Key }) => Key === edge.Step);
        return (
          <div key={index} className="rs-workflow-edge">
            <HTMLSelect
              aria-label={t('Preceding step {index}', { index: index + 1 })}
              value={edge.Step}
              disabled={isReadOnly}
              onChange={({ currentTarget }) => {
                const next = others.find(({ Key }) => Key === currentTarget.value);
                if (!next) return;
                const isFit = conditionsAfter(next).includes(edge.When);
                set(index, isFit ? { ...edge, Step: next.Key } : usualEdge(next));
              }}
            >
              {!before && <option value={edge.Step}>{t('Missing step')}</option>}
              {others.map(({ Key, Name }) => (
                <option key={Key} value={Key}>
                  {Name}
                </option>
              ))}
            </HTMLSelect>
            <HTMLSelect
              aria-label={t('Condition for preceding step {index}', { index: index + 1 })}
              value={edge.When}
              disabled={isReadOnly}
              onChange={({ currentTarget }) => set(index, { ...edge, When: currentTarget.value as EdgeCondition })}
            >
              {[...new Set([...conditionsAfter(before), edge.When])].map((when) => (
                <option key={when} value={when}>
                  {WHEN_TEXT[when]}
                </option>
              ))}
            </HTMLSelect>
            {!isReadOnly && (
              <Button
                variant="minimal"
                icon={<Cross />}
                aria-label={t("Don't run after {name}", { name: before?.Name ?? t('a missing step') })}
                onClick={() => write({ After: step.After.toSpliced(index, 1) })}
              />
            )}
          </div>
        );
      })}
      {!isReadOnly && others.length > 0 && (
        <Button
          variant="minimal"
          size="small"
          icon={<Add />}
          text={t('Add a preceding step')}
          onClick={() => write({ After: [...step.After, usualEdge(free ?? others[0]!)] })}
        />
      )}
    </fieldset>
  );
}
