import { Button } from '@blueprintjs/core';
import { Link } from '@blueprintjs/icons';
import { t } from '#renderer/language/translate.ts';
import { mapRest, unmappedInputs } from './map-rest.ts';
import type { StepPartProps } from './step-part.ts';

/** Maps the remaining inputs of a step's activity at once. */
export function MapRest({ draft, step }: Pick<StepPartProps, 'draft' | 'step'>) {
  const { activities, change } = draft;
  const count = unmappedInputs(step, activities).length;
  if (count === 0) return null;
  return (
    <Button
      size="small"
      icon={<Link />}
      text={t('{count, plural, one {Map the remaining input by name} other {Map the # remaining inputs by name}}', {
        count,
      })}
      title={t('Uses a value of the same name and type, or asks for a new one when the workflow starts')}
      onClick={() => change((graph) => mapRest(graph, step.Key, activities))}
    />
  );
}
