import { HTMLSelect } from '@blueprintjs/core';
import { useState } from 'react';
import type { ChecklistListItem } from '#shared/contract/checklist-list.ts';
import { useActivities } from '#renderer/features/activities/use-activities.ts';
import { t } from '#renderer/language/translate.ts';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import { FormField } from '#renderer/ui/FormField.tsx';
import { ServerButton } from '#renderer/ui/ServerButton.tsx';

/** The schema of the samples, whose workflows are offered as templates. */
const SAMPLES = 'Samples';

/**
 * Fills the editor with the steps of a sample, or of another workflow or checklist. Undo brings back what was there.
 */
export function StartFrom({ onCopy }: { onCopy: (id: number) => Promise<void> }) {
  const query = useActivities();
  const list = query.data?.Checklists ?? [];
  const [isBusy, setBusy] = useState(false);
  const [chosen, setChosen] = useState('');
  const templates = list.filter(isTemplate);
  const others = list.filter((item) => !isTemplate(item));
  if (query.error && !query.data)
    return <FetchFailure query={query} text={t('The workflows and checklists could not be loaded.')} />;
  // A button confirms the choice, because the arrow keys already choose an item of a list that is closed.
  const copy = async (): Promise<void> => {
    setBusy(true);
    await onCopy(Number(chosen));
    setBusy(false);
    setChosen('');
  };
  return (
    <FormField label={t('Copy the steps of')}>
      {({ id }) => (
        <div className="rs-workflow-choose">
          <HTMLSelect
            id={id}
            fill
            // Shown from the start, so that the fields beside it do not move.
            disabled={isBusy || list.length === 0}
            value={chosen}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          >
            <option value="">{t('Choose …')}</option>
            <Options title={t('Templates')} items={templates} />
            <Options title={t('Workflows and checklists')} items={others} />
          </HTMLSelect>
          <ServerButton text={t('Copy')} disabled={chosen === ''} loading={isBusy} onClick={() => void copy()} />
        </div>
      )}
    </FormField>
  );
}

const isTemplate = ({ IsWorkflow, Schema }: ChecklistListItem): boolean => IsWorkflow && Schema === SAMPLES;

function Options({ title, items }: { title: string; items: readonly ChecklistListItem[] }) {
  if (items.length === 0) return null;
  return (
    <optgroup label={title}>
      {items.map(({ Id, Name, Schema }) => (
        <option key={Id} value={Id}>
          {Name} ({Schema})
        </option>
      ))}
    </optgroup>
  );
}
