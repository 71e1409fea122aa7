import { Add } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState, type FormEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { createRole, listRoles, type Role } from '#shared/contract/roles.ts';
import { NAME_MAX, roleNameIssue } from '#shared/rules/user-rules.ts';
import { NO_PERMISSION } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { EnabledMark } from '#renderer/ui/EnabledMark.tsx';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { useFormChange } from '#renderer/ui/query/use-change.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { LimitedInput } from '#renderer/ui/LimitedInput.tsx';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { showError } from '#renderer/ui/toaster.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';

const TOUCHED = [listRoles] as const;
/** 650 px of list. Source: specification of security, section 9. */
const LIST_ROWS = 17;

export const rolePath = (name: string): string => `/roles/${encodeURIComponent(name)}/`;

const COLUMNS: GridColumn<Role>[] = [
  { key: 'Name', title: t('Name'), text: ({ Name }) => Name, to: ({ Name }) => rolePath(Name), width: 320 },
  {
    key: 'IsActive',
    title: t('Status'),
    width: 120,
    text: (role) => (role.IsActive ? t('Active') : t('Inactive')),
    render: (role) => <EnabledMark isOn={role.IsActive} words={[t('Active'), t('Inactive')]} />,
  },
  {
    key: 'UserCount',
    title: t('Users'),
    width: 90,
    align: 'right',
    text: (role) => numberText(role.UserCount),
    sortValue: (role) => role.UserCount,
  },
];

/** /roles/ */
export function RolesPage() {
  const query = useQuery(queryOf(listRoles));
  const navigate = useNavigate();
  const open = useCallback((role: Role) => void navigate(rolePath(role.Name)), [navigate]);
  return (
    <Page title={t('Roles')} description={t('A role gives its rights to all of its users while it is active.')}>
      <QueryStates query={query} failure={t('Failed to update roles list')}>
        {({ Items }) => (
          <>
            <AddRole names={Items.map(({ Name }) => Name)} />
            <DataGrid
              label={t('Roles')}
              rows={Items}
              columns={COLUMNS}
              // Source: specification of security, section 6.
              empty={NO_PERMISSION}
              maxRows={LIST_ROWS}
              filterable={Items.length > 10}
              onRowClick={open}
            />
          </>
        )}
      </QueryStates>
    </Page>
  );
}

function AddRole({ names }: { names: readonly string[] }) {
  const [name, setName] = useState('');
  const { isBusy, change, failure } = useFormChange(TOUCHED);
  const issue = roleNameIssue(name, names);
  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (issue !== null) return showError(issue);
    const isCreated = await change(() => call(createRole, { params: { name: name.trim() } }));
    if (isCreated) setName('');
  };
  return (
    <>
      <ErrorSummary {...failure} />
      <form className="rs-bar" onSubmit={(event) => void add(event)}>
        <LimitedInput
          aria-label={t('Name of the new role')}
          placeholder={t('Name of the new role')}
          value={name}
          maxLength={NAME_MAX}
          onValueChange={setName}
        />
        <SubmitButton
          intent="none"
          icon={<Add />}
          text={t('Add')}
          loading={isBusy}
          disabled={name.trim() !== '' && issue !== null}
          title={name.trim() !== '' && issue !== null ? issue : undefined}
        />
      </form>
    </>
  );
}
