import type { WorkflowGraphData } from '#shared/contract/workflows.ts';
import type { ValueShape } from '#shared/rules/workflows/step-outputs.ts';
import type { ValueSource } from '#shared/rules/workflows/types.ts';
import { kindOfUsage, isOfFiles } from '#shared/rules/workflows/expression-types.ts';
import { t } from '#renderer/language/translate.ts';
import { ConstantField } from './ConstantField.tsx';
import { FormulaField } from './FormulaField.tsx';
import { formulaNames } from './formula-names.ts';
import type { KnownActivities, OfferGroup } from './offered-sources.ts';
import { SourceSelect, type OwnKind } from './SourceSelect.tsx';

interface InputValueProps {
  id: string;
  /** Names what the value is for. */
  label: string;
  graph: WorkflowGraphData;
  /** Key of the step that takes the value. */
  stepKey: string;
  activities: KnownActivities;
  value: ValueSource | null;
  groups: readonly OfferGroup[];
  noneText: string;
  /** What takes the value; null if it takes no constant. */
  shape: ValueShape | null;
  disabled: boolean;
  /** @param burst identifies text that is typed letter by letter */
  onChange: (from: ValueSource | null, burst?: string) => void;
}

/** Edits where a value comes from: an input, an output, a column, a constant, or a formula. */
export function InputValue(props: InputValueProps) {
  const { id, label, graph, stepKey, activities, value, groups, noneText, shape, disabled, onChange } = props;
  return (
    <>
      <SourceSelect
        id={id}
        graph={graph}
        value={value}
        groups={groups}
        noneText={noneText}
        own={ownKinds(shape)}
        disabled={disabled}
        onChange={(from) => onChange(startValue(from, shape))}
      />
      {value?.Kind === 'Constant' && shape && (
        <ConstantField
          id={`${id}-constant`}
          label={t('Constant for {label}', { label })}
          usage={kindOfUsage(shape.CellUsages[0])}
          value={value.Value}
          disabled={disabled}
          onChange={(Value) => onChange({ Kind: 'Constant', Value }, `constant ${label}`)}
        />
      )}
      {value?.Kind === 'Expression' && (
        <FormulaField
          id={`${id}-formula`}
          label={t('Formula for {label}', { label })}
          value={value.Formula}
          names={formulaNames(graph, stepKey, activities)}
          disabled={disabled}
          onChange={(Formula, isTyped) =>
            onChange({ Kind: 'Expression', Formula }, isTyped ? `formula ${label}` : undefined)
          }
        />
      )}
    </>
  );
}

function ownKinds(shape: ValueShape | null): OwnKind[] {
  if (shape && isOfFiles(shape)) return [];
  return shape?.RangeType === 'SingleCell' ? ['Constant', 'Expression'] : ['Expression'];
}

/** A field shows a Boolean as unticked, so its constant begins as false and not as blank. */
function startValue(from: ValueSource | null, shape: ValueShape | null): ValueSource | null {
  if (from?.Kind !== 'Constant' || from.Value !== null) return from;
  const kind = kindOfUsage(shape?.CellUsages[0]);
  return kind === 'Boolean' ? { ...from, Value: false } : kind === 'Text' ? { ...from, Value: '' } : from;
}
