import { Button, Checkbox, Dialog, DialogBody } from '@blueprintjs/core';
import { Endorsed, Fork } from '@blueprintjs/icons';
import { useState } from 'react';
import type { WorkflowActivity, WorkflowGraphData } from '#shared/contract/workflows.ts';
import { workflowActivity } from '#shared/rules/workflows/workflow-activity.ts';
import { AddActivity } from '#renderer/features/checklists/AddActivity.tsx';
import { t } from '#renderer/language/translate.ts';
import type { NewStep, StepPlace } from './add-step.ts';

interface AddStepDialogProps {
  graph: WorkflowGraphData;
  place: StepPlace;
  /** @param activity the activity that the step runs */
  onAdd: (step: NewStep, activity?: WorkflowActivity) => void;
  onClose: () => void;
}

/** Asks what a new step does: it runs an activity, once or for each row, decides, or asks for an approval. */
export function AddStepDialog({ graph, place, onAdd, onClose }: AddStepDialogProps) {
  const [isForEach, setForEach] = useState(false);
  return (
    <Dialog isOpen title={titleOf(graph, place)} icon={null} className="rs-add-step" onClose={onClose}>
      <DialogBody>
        <AddActivity
          label={t('Run an activity')}
          id="workflow-new-step"
          chosen={[]}
          staysOpen
          onAdd={({ Id, Name }, details) =>
            onAdd({ Kind: isForEach ? 'ForEach' : 'Activity', Name, ActivityId: Id }, workflowActivity(details))
          }
        />
        <Checkbox
          label={t('Run it once for each row of a table')}
          checked={isForEach}
          onChange={({ currentTarget }) => setForEach(currentTarget.checked)}
        />
        <div className="rs-add-step-kinds" role="group" aria-label={t('Or without an activity')}>
          <Button
            icon={<Fork />}
            text={t('Decision')}
            title={t('Continues in one direction or the other, depending on values of earlier steps')}
            onClick={() => onAdd({ Kind: 'Decision', Name: t('Decision') })}
          />
          <Button
            icon={<Endorsed />}
            text={t('Approval')}
            title={t('Waits until people approve')}
            onClick={() => onAdd({ Kind: 'Approval', Name: t('Approval') })}
          />
        </div>
      </DialogBody>
    </Dialog>
  );
}

function titleOf({ Steps }: WorkflowGraphData, place: StepPlace): string {
  const nameOf = (key: string | null): string => Steps.find(({ Key }) => Key === key)?.Name ?? '';
  if ('edge' in place)
    return t('Add a step between {from} and {to}', { from: nameOf(place.edge.Step), to: nameOf(place.to) });
  const before = nameOf(place.after ?? Steps.at(-1)?.Key ?? null);
  return before === '' ? t('Add the first step') : t('Add a step after {name}', { name: before });
}
