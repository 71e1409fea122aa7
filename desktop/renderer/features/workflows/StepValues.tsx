import { Button, InputGroup } from '@blueprintjs/core';
import { Add, Cross } from '@blueprintjs/icons';
import { t } from '#renderer/language/translate.ts';
import { isSameSource, type OfferGroup } from './offered-sources.ts';
import { SourceSelect } from './SourceSelect.tsx';
import type { StepPartProps } from './step-part.ts';
import { mapValue, type StepValue } from './workflow-draft.ts';

interface StepValuesProps extends Pick<StepPartProps, 'draft' | 'isReadOnly'> {
  step: { Values: StepValue[] };
  write: (change: { Values: StepValue[] }, burst?: string) => void;
  groups: readonly OfferGroup[];
  noneText: string;
}

/** Edits the named values of a decision or approval. */
export function StepValues({ draft, step, isReadOnly, write, groups, noneText }: StepValuesProps) {
  const setValue = (index: number, value: StepValue, burst?: string): void =>
    write({ Values: step.Values.with(index, value) }, burst);
  const offers = groups.flatMap((group) => group.offers);
  const next = offers.find(({ from }) => !step.Values.some(({ From }) => isSameSource(From, from))) ?? offers[0];
  return (
    <>
      {offers.length === 0 && step.Values.length === 0 && <p className="rs-muted">{noneText}</p>}
      {step.Values.map((value, index) => (
        <div key={index} className="rs-workflow-value">
          <SourceSelect
            label={t('Source of value {index}', { index: index + 1 })}
            graph={draft.graph}
            value={value.From}
            groups={groups}
            noneText={t('Not chosen')}
            disabled={isReadOnly}
            onChange={(from) => from && setValue(index, mapValue(value, from))}
          />
          <InputGroup
            aria-label={t('Name of value {index}', { index: index + 1 })}
            value={value.Name}
            disabled={isReadOnly}
            onValueChange={(Name) => setValue(index, { ...value, Name }, `value ${index}`)}
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
