import { Checkbox, HTMLSelect, InputGroup } from '@blueprintjs/core';
import { useQuery, keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { workflowApprovers, type WorkflowStepData } from '#shared/contract/workflows.ts';
import { call } from '#renderer/api/client.ts';
import { t } from '#renderer/language/translate.ts';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { useAwaitedEnter } from '#renderer/ui/use-awaited-enter.ts';
import { CountField } from './CountField.tsx';
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
      />
      <CountField
        key={`expires ${step.Key}`}
        label={t('Expires after (hours)')}
        helper={t('Empty: never')}
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

/** Roles and people, with the chosen ones first. The others are found by parts of their names. */
function Approvers({ step, isReadOnly, write }: Omit<StepPartProps<Approval>, 'draft'>) {
  const { Roles, UserIds } = step;
  const [Search, setSearch] = useState('');
  const people = useQuery({
    queryKey: [workflowApprovers.path, Search, UserIds],
    queryFn: ({ signal }) => call(workflowApprovers, { body: { Search, UserIds }, signal }),
    placeholderData: keepPreviousData,
    enabled: !isReadOnly,
  });
  const { data } = people;
  const wanted = Search.trim().toLowerCase();
  const isFound = (name: string): boolean => name.toLowerCase().includes(wanted);
  const roles = [...new Set([...Roles, ...(data?.Roles ?? []).filter(isFound)])];
  const known = new Map((data?.Users ?? []).map((user) => [user.UserId, `${user.UserFullName} (${user.UserName})`]));
  const users = [...new Set([...UserIds, ...known.keys()])];
  const isAnswered = data !== undefined && !people.isPlaceholderData;
  const takeOnly = (): void => {
    const newRoles = roles.filter((role) => isFound(role) && !Roles.includes(role));
    // The response also contains people who were chosen before, regardless of the search.
    const newUsers = [...known.keys()].filter((id) => !UserIds.includes(id));
    if (wanted === '' || newRoles.length + newUsers.length !== 1) return;
    write({ Roles: [...Roles, ...newRoles], UserIds: [...UserIds, ...newUsers] });
    setSearch('');
  };
  const waitWithEnter = useAwaitedEnter(Search, isAnswered, takeOnly);
  return (
    <div role="group" aria-label={t('Who may approve')} className="rs-field">
      <div className="rs-field-label">{t('Who may approve')}</div>
      {!isReadOnly && (
        <InputGroup
          aria-label={t('Search roles and people')}
          placeholder={t('Search')}
          value={Search}
          onValueChange={setSearch}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.ctrlKey) return;
            event.preventDefault();
            if (isAnswered) takeOnly();
            else waitWithEnter();
          }}
        />
      )}
      <FetchFailure query={people} text={t('Roles and people could not be loaded.')} />
      <div className="rs-workflow-approvers">
        {roles.map((role) => (
          <Checkbox
            key={`role ${role}`}
            label={t('Role {role}', { role })}
            checked={Roles.includes(role)}
            disabled={isReadOnly}
            onChange={({ currentTarget }) =>
              write({ Roles: currentTarget.checked ? [...Roles, role] : Roles.filter((one) => one !== role) })
            }
          />
        ))}
        {users.map((id) => (
          <Checkbox
            key={id}
            label={known.get(id) ?? t('Person {id}', { id })}
            checked={UserIds.includes(id)}
            disabled={isReadOnly}
            onChange={({ currentTarget }) =>
              write({ UserIds: currentTarget.checked ? [...UserIds, id] : UserIds.filter((one) => one !== id) })
            }
          />
        ))}
        {data?.HasMore && <p className="rs-muted">{t('There are more people. Search to find them.')}</p>}
      </div>
    </div>
  );
}
