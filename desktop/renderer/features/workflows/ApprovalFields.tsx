import { Checkbox, HTMLSelect } from '@blueprintjs/core';
import { useQuery, keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { workflowApprovers, type WorkflowStepData } from '#shared/contract/workflows.ts';
import { call } from '#renderer/api/client.ts';
import { t } from '#renderer/language/translate.ts';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { PeopleChoice } from '#renderer/ui/PeopleChoice.tsx';
import { CountField } from './CountField.tsx';
import { formulaNames } from './formula-names.ts';
import { allOffers } from './offered-sources.ts';
import type { StepPartProps } from './step-part.ts';
import { StepValues } from './StepValues.tsx';

type Approval = Extract<WorkflowStepData, { Kind: 'Approval' }>;

const TEXT_MAX = 4000;
const NEEDED_MAX = 100;
const HOURS_MAX = 8784;

/** Fields of an approval: who decides, what they are shown, and what happens if nobody decides. */
export function ApprovalFields({ draft, step, isReadOnly, write }: StepPartProps<Approval>) {
  return (
    <fieldset className="rs-workflow-inputs">
      <legend className="rs-workflow-legend">{t('Approval')}</legend>
      <Approvers step={step} isReadOnly={isReadOnly} write={write} />
      <CountField
        key={`needed ${step.Key}`}
        label={t('Required approvals')}
        helper={t('A single rejection ends it')}
        value={step.Needed}
        max={NEEDED_MAX}
        blankAs={1}
        isReadOnly={isReadOnly}
        onChange={(Needed) => write({ Needed: Needed ?? 1 }, 'Needed')}
      />
      <Checkbox
        label={t('The user who started it may approve')}
        checked={step.StarterMayApprove}
        disabled={isReadOnly}
        onChange={({ currentTarget }) => write({ StarterMayApprove: currentTarget.checked })}
      />
      <TextField
        label={t('Text')}
        helper={t('Shown to the approvers')}
        rows={3}
        value={step.Text}
        maxLength={TEXT_MAX}
        disabled={isReadOnly}
        onChange={(Text) => write({ Text }, 'Text')}
      />
      <div className="rs-field-label">{t('Values shown to approvers')}</div>
      <StepValues
        draft={draft}
        step={step}
        isReadOnly={isReadOnly}
        write={write}
        groups={allOffers(draft.graph, step.Key, draft.activities)}
        noneText={t('No earlier step returns a value.')}
        formulas={formulaNames(draft.graph, step.Key, draft.activities)}
      />
      <CountField
        key={`expires ${step.Key}`}
        label={t('Expires after (hours)')}
        helper={t('Leave empty for never')}
        value={step.ExpiresAfterHours}
        max={HOURS_MAX}
        blankAs={null}
        isFraction
        isReadOnly={isReadOnly}
        onChange={(ExpiresAfterHours) => write({ ExpiresAfterHours }, 'ExpiresAfterHours')}
      />
      {step.ExpiresAfterHours !== null && (
        <FormField label={t('When it expires')}>
          {({ id }) => (
            <HTMLSelect
              id={id}
              value={step.OnExpiry}
              disabled={isReadOnly}
              onChange={({ currentTarget }) => write({ OnExpiry: currentTarget.value as Approval['OnExpiry'] })}
            >
              <option value="Fail">{t('It fails')}</option>
              <option value="Approve">{t('It counts as approved')}</option>
            </HTMLSelect>
          )}
        </FormField>
      )}
    </fieldset>
  );
}

function Approvers({ step, isReadOnly, write }: Omit<StepPartProps<Approval>, 'draft'>) {
  const { UserIds } = step;
  const [Search, setSearch] = useState('');
  const people = useQuery({
    queryKey: [workflowApprovers.path, Search, UserIds],
    queryFn: ({ signal }) => call(workflowApprovers, { body: { Search, UserIds }, signal }),
    placeholderData: keepPreviousData,
    enabled: !isReadOnly,
  });
  return (
    <div role="group" aria-label={t('Who may approve')} className="rs-field">
      <div className="rs-field-label">{t('Who may approve')}</div>
      <PeopleChoice
        chosen={step}
        people={people}
        search={Search}
        searchLabel={t('Search roles and people')}
        placeholder={t('Search')}
        listClass="rs-workflow-approvers"
        isReadOnly={isReadOnly}
        onSearch={setSearch}
        onChange={write}
      />
    </div>
  );
}
