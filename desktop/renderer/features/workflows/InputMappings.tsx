import { isSameInputName } from '#shared/rules/checklist-rules.ts';
import type { WorkflowStepData } from '#shared/contract/workflows.ts';
import type { ValueSource } from '#shared/rules/workflows/types.ts';
import { typeText } from '#renderer/features/checklists/input-type.ts';
import { t } from '#renderer/language/translate.ts';
import { FormField } from '#renderer/ui/FormField.tsx';
import { activityOf, mappingOffers } from './offered-sources.ts';
import { InputValue } from './InputValue.tsx';
import { SourceSelect } from './SourceSelect.tsx';
import type { StepPartProps } from './step-part.ts';
import { mapInput } from './workflow-draft.ts';

type UsesActivity = Extract<WorkflowStepData, { ActivityId: number }>;

/** Edits the source of each input of the step's activity. */
export function InputMappings({ draft, step, isReadOnly }: StepPartProps<UsesActivity>) {
  const { graph, activities, change } = draft;
  const activity = activityOf(step, activities);
  if (!activity)
    return <p className="rs-muted">{t('You do not have the right to see the inputs of this activity.')}</p>;
  const asked = activity.Inputs.filter(({ IsMappable }) => IsMappable);
  const lost = step.Inputs.filter(({ Input }) => !asked.some(({ Name }) => isSameInputName(Name, Input)));
  const set = (name: string, from: ValueSource | null, burst?: string): void =>
    change((before) => mapInput(before, step.Key, name, from), burst && `${burst} of ${step.Key}`);
  return (
    <fieldset className="rs-workflow-inputs">
      <legend className="rs-workflow-legend">{t('Inputs')}</legend>
      {asked.length === 0 && lost.length === 0 && <p className="rs-muted">{t('The activity has no inputs to map.')}</p>}
      {asked.map((input) => (
        <FormField key={input.Name} label={input.Name} labelInfo={typeText(input.Info)}>
          {({ id }) => (
            <InputValue
              id={id}
              label={input.Name}
              graph={graph}
              stepKey={step.Key}
              activities={activities}
              value={step.Inputs.find(({ Input }) => isSameInputName(Input, input.Name))?.From ?? null}
              groups={mappingOffers(graph, step, input, activities)}
              noneText={input.IsOptional ? t("The activity's default value") : t('Not mapped')}
              shape={input.Info}
              disabled={isReadOnly}
              onChange={(from, burst) => set(input.Name, from, burst)}
            />
          )}
        </FormField>
      ))}
      {lost.map(({ Input, From }) => (
        <FormField key={Input} label={Input} labelInfo={t('the activity does not ask for it')}>
          {({ id }) => (
            <SourceSelect
              id={id}
              graph={graph}
              value={From}
              groups={[]}
              noneText={t('Not mapped')}
              disabled={isReadOnly}
              onChange={(from) => set(Input, from)}
            />
          )}
        </FormField>
      ))}
    </fieldset>
  );
}
