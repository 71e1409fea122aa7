import { Button, InputGroup } from '@blueprintjs/core';
import { Add, Cross } from '@blueprintjs/icons';
import { useId } from 'react';
import { t } from '#renderer/language/translate.ts';
import { FormulaField } from './FormulaField.tsx';
import type { FormulaNames } from './formula-names.ts';
import { isSameSource, type OfferGroup } from './offered-sources.ts';
import { SourceSelect } from './SourceSelect.tsx';
import type { StepPartProps } from './step-part.ts';
import { mapValue, type StepValue } from './workflow-draft.ts';

interface StepValuesProps extends Pick<StepPartProps, 'draft' | 'isReadOnly'> {
  step: { Values: StepValue[] };
  write: (change: { Values: StepValue[] }, burst?: string) => void;
  groups: readonly OfferGroup[];
  noneText: string;
  /** The names that formulas can use. */
  formulas: readonly FormulaNames[];
}

/** Edits the named values of a decision or approval. */
export function StepValues(props: StepValuesProps) {
  const { step, isReadOnly, write, groups, noneText } = props;
  const offers = groups.flatMap((group) => group.offers);
  const next = offers.find(({ from }) => !step.Values.some(({ From }) => isSameSource(From, from))) ?? offers[0];
  return (
    <>
      {offers.length === 0 && step.Values.length === 0 && <p className="rs-muted">{noneText}</p>}
      {step.Values.map((value, index) => (
        <StepValueFields key={index} {...props} value={value} index={index} />
      ))}
      {!isReadOnly && next && (
        <div className="rs-workflow-add">
          <Button
            variant="minimal"
            size="small"
            icon={<Add />}
            text={t('Add a value')}
            onClick={() => write({ Values: [...step.Values, mapValue(null, next.from)] })}
          />
        </div>
      )}
    </>
  );
}

/** The source and name of one value, and its formula if it has one. */
function StepValueFields(props: StepValuesProps & { value: StepValue; index: number }) {
  const { draft, step, isReadOnly, write, groups, formulas, value, index } = props;
  const id = useId();
  const set = (changed: StepValue, burst?: string): void => write({ Values: step.Values.with(index, changed) }, burst);
  return (
    <>
      <div className="rs-workflow-value">
        <SourceSelect
          label={t('Source of value {index}', { index: index + 1 })}
          graph={draft.graph}
          value={value.From}
          groups={groups}
          noneText={t('Not chosen')}
          own={['Expression']}
          disabled={isReadOnly}
          onChange={(from) => from && set(mapValue(value, from))}
        />
        <InputGroup
          aria-label={t('Name of value {index}', { index: index + 1 })}
          value={value.Name}
          disabled={isReadOnly}
          onValueChange={(Name) => set({ ...value, Name }, `value ${index}`)}
        />
        {!isReadOnly && (
          <Button
            variant="minimal"
            icon={<Cross />}
            aria-label={t('Remove value {name}', { name: value.Name })}
            onClick={() => write({ Values: step.Values.toSpliced(index, 1) })}
          />
        )}
      </div>
      {value.From.Kind === 'Expression' && (
        <FormulaField
          id={id}
          label={t('Formula for {label}', { label: value.Name })}
          value={value.From.Formula}
          names={formulas}
          disabled={isReadOnly}
          onChange={(Formula, isTyped) =>
            set({ ...value, From: { Kind: 'Expression', Formula } }, isTyped ? `formula ${index}` : undefined)
          }
        />
      )}
    </>
  );
}
