import { useState } from 'react';
import type { UserAbilities } from '#shared/contract/users.ts';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { NotAllowed } from '#renderer/features/rights/OwnRights.tsx';
import { useAbilities } from '#renderer/features/users/use-users.ts';
import { t } from '#renderer/language/translate.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { LeaveWarning } from '#renderer/ui/LeaveWarning.tsx';
import { Page } from '#renderer/ui/Page.tsx';
import type { Preview } from './import-preview.ts';
import { OutcomePart } from './OutcomePart.tsx';
import { isWhole, textAfter } from './import-rows.ts';
import { EMPTY_LIST, PeopleForm, type PeopleList } from './PeopleForm.tsx';
import { PreviewPart } from './PreviewPart.tsx';
import { useImport } from './use-import.ts';
import './user-import.css';

/** /newusers/: a list of people, what it would do, and what was done. */
export function AddUsersPage() {
  const abilities = useAbilities();
  return (
    <Page title={t('Add several users')}>
      <QueryStates query={abilities} kind="form">
        {(found) => (found.canManageUsers ? <AddUsers abilities={found} /> : <NotAllowed right="sk.ManageUsers" />)}
      </QueryStates>
    </Page>
  );
}

function AddUsers({ abilities }: { abilities: UserAbilities }) {
  const [list, setList] = useState<PeopleList>(EMPTY_LIST);
  const [preview, setPreview] = useState<Preview | null>(null);
  const [isCopied, setCopied] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const work = useImport();
  const hasLinks = work.rows.some(({ outcome }) => (outcome?.SetPasswordPath ?? null) !== null);
  const losesLinks = hasLinks && !isCopied;
  const isUnsaved =
    work.rows.length > 0 ? work.isRunning || !isWhole(work.rows) || losesLinks : list.text.trim() !== '';
  const restart = (): void => {
    const text = textAfter(work.rows, list.text);
    work.clear();
    setCopied(false);
    setAsking(false);
    setPreview(null);
    setList((before) => ({ ...before, text }));
  };
  return (
    <>
      {work.rows.length > 0 ? (
        <OutcomePart
          work={work}
          onCopied={() => setCopied(true)}
          onRestart={() => (losesLinks ? setAsking(true) : restart())}
        />
      ) : preview ? (
        <PreviewPart
          preview={preview}
          mailsLinks={abilities.AllowPasswordReset}
          isLocal={list.origin === ''}
          onBack={() => setPreview(null)}
          onAdd={(users) => void work.run(users, list.origin, abilities.ExternalSources)}
        />
      ) : (
        <PeopleForm list={list} onChange={setList} abilities={abilities} onPreview={setPreview} />
      )}
      <LeaveWarning isUnsaved={isUnsaved} />
      <ConfirmDialog
        isOpen={isAsking}
        isLocal
        title={t('Links not copied')}
        confirmText={t('Discard the links')}
        intent="danger"
        onCancel={() => setAsking(false)}
        onConfirm={restart}
      >
        {t('You have not copied the links yet. They are shown only once, so they are lost if you continue.')}
      </ConfirmDialog>
    </>
  );
}
