import { Button, Callout } from '@blueprintjs/core';
import { useMemo } from 'react';
import type { ImportedUser, ImportState, PreviewedUser } from '#shared/contract/user-import.ts';
import { said, t } from '#renderer/language/translate.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { Card } from '#renderer/ui/Page.tsx';
import { ServerButton } from '#renderer/ui/ServerButton.tsx';
import type { Preview } from './import-preview.ts';

interface PreviewPartProps {
  preview: Preview;
  /** True if new local users get their link by mail. */
  mailsLinks: boolean;
  isLocal: boolean;
  onBack: () => void;
  onAdd: (users: ImportedUser[]) => void;
}

/** What would happen to each person of the list. Nothing has been changed yet. */
export function PreviewPart({ preview, mailsLinks, isLocal, onBack, onAdd }: PreviewPartProps) {
  const { Users, UnusedColumns } = preview;
  const count = (state: ImportState): number => Users.filter(({ State }) => State === state).length;
  const added = Users.filter(isAdded);
  // Among a thousand lines, nobody would scroll to those that are skipped.
  const rows = useMemo(() => Users.toSorted(byNeedOfAttention), [Users]);
  return (
    <Card title={t('Preview')}>
      <p role="status">
        {t('{created} new, {existing} existing, {invalid} invalid, {duplicate} duplicate', {
          created: count('New'),
          existing: count('Existing'),
          invalid: count('Invalid'),
          duplicate: count('Duplicate'),
        })}
      </p>
      {count('Invalid') > 0 && (
        <Callout intent="warning" className="rs-import-note">
          {t('Invalid lines are skipped. Correct the list and preview it again to include them.')}
        </Callout>
      )}
      {UnusedColumns.length > 0 && (
        <Callout className="rs-import-note">
          {t('These columns are not used: {columns}', { columns: UnusedColumns.join(', ') })}
        </Callout>
      )}
      <DataGrid label={t('Preview')} rows={rows} columns={COLUMNS} empty={t('No users to display')} maxRows={16} />
      {isLocal && count('New') > 0 && (
        <p className="rs-muted rs-import-note">
          {mailsLinks
            ? t('New users get an email with a link to set their password. It works for one day.')
            : t(
                'This portal does not send links by email: you get a link for each new user to pass on. It works for one day.',
              )}
        </p>
      )}
      <div className="rs-form-actions">
        <ServerButton
          intent="primary"
          text={addText(count('New'), added.length - count('New'))}
          disabled={added.length === 0}
          onClick={() => onAdd(added.map(importedUser))}
        />
        <Button text={t('Back to the list')} onClick={onBack} />
      </div>
    </Card>
  );
}

const isSkipped = ({ State }: PreviewedUser): boolean => State === 'Invalid' || State === 'Duplicate';

const byNeedOfAttention = (a: PreviewedUser, b: PreviewedUser): number => Number(isSkipped(b)) - Number(isSkipped(a));

/** Existing users without a further role stay as they are. */
const isAdded = ({ State, Roles }: PreviewedUser): boolean =>
  State === 'New' || (State === 'Existing' && Roles.length > 0);

function addText(created: number, changed: number): string {
  if (changed === 0) return t('{count, plural, one {Add # user} other {Add # users}}', { count: created });
  if (created === 0)
    return t('{count, plural, one {Add roles to # user} other {Add roles to # users}}', { count: changed });
  return t('Add {created} users, and roles to {changed}', { created, changed });
}

function importedUser({
  UserId,
  UserName,
  FirstName,
  MiddleName,
  LastName,
  Email,
  Roles,
}: PreviewedUser): ImportedUser {
  // The names and the address of an existing user stay, and may be too long for a new one.
  if (UserId !== null) return { UserId, UserName, FirstName: '', MiddleName: '', LastName: '', Email: '', Roles };
  return { UserId, UserName, FirstName, MiddleName, LastName, Email, Roles };
}

const STATES: Readonly<Record<ImportState, string>> = {
  New: t('New'),
  Existing: t('Existing'),
  Invalid: t('Invalid'),
  Duplicate: t('Duplicate'),
};

function noteOf(user: PreviewedUser): string {
  if (user.State === 'Duplicate') return t('Already in an earlier line');
  if (user.State === 'Existing' && user.Roles.length === 0) return t('Nothing to change');
  return user.Problems.map((problem) => said(problem)).join('. ');
}

const COLUMNS: GridColumn<PreviewedUser>[] = [
  { key: 'Line', title: t('Line'), align: 'right', text: ({ Line }) => String(Line), sortValue: ({ Line }) => Line },
  { key: 'State', title: t('State'), width: 110, text: ({ State }) => STATES[State] },
  { key: 'UserName', title: t('User Name'), text: ({ UserName }) => UserName, givesWayTo: 140 },
  {
    key: 'FullName',
    title: t('Full Name'),
    text: ({ FirstName, MiddleName, LastName }) => [FirstName, MiddleName, LastName].filter(Boolean).join(' '),
    givesWayTo: 120,
  },
  { key: 'Email', title: t('Email'), text: ({ Email }) => Email, givesWayTo: 140 },
  { key: 'Roles', title: t('Roles'), text: ({ Roles }) => Roles.join(', '), givesWayTo: 90 },
  { key: 'Note', title: t('Note'), text: noteOf, givesWayTo: 200 },
];
