import { HTMLSelect, TextArea } from '@blueprintjs/core';
import { Document } from '@blueprintjs/icons';
import { useState, type DragEvent, type FormEvent } from 'react';
import { IMPORT_TEXT_MAX, previewUserImport, type NameFrom } from '#shared/contract/user-import.ts';
import type { UserAbilities } from '#shared/contract/users.ts';
import { call } from '#renderer/api/client.ts';
import { useRight } from '#renderer/app/profile.ts';
import { useFormChange } from '#renderer/ui/query/use-change.ts';
import { LOCAL, originKey } from '#renderer/features/users/user-form.ts';
import { t } from '#renderer/language/translate.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { FileButton } from '#renderer/ui/FileButton.tsx';
import { FormField } from '#renderer/ui/FormField.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';
import { showError } from '#renderer/ui/toaster.tsx';
import { originBody } from './import-origin.ts';
import type { Preview } from './import-preview.ts';
import { readTextFile } from './read-text-file.ts';
import { RoleChoice } from './RoleChoice.tsx';

/** What the form holds; it stays while the preview is shown. */
export interface PeopleList {
  text: string;
  /** Source of new users: LOCAL, or a key from originKey. */
  origin: string;
  nameFrom: NameFrom;
  roles: readonly string[];
}

export const EMPTY_LIST: PeopleList = { text: '', origin: LOCAL, nameFrom: 'Address', roles: [] };

interface PeopleFormProps {
  list: PeopleList;
  onChange: (list: PeopleList) => void;
  abilities: Pick<UserAbilities, 'ExternalSources'>;
  onPreview: (preview: Preview) => void;
}

const NOTHING_TOUCHED = [] as const;

/** Takes addresses, or a CSV file, and what applies to everyone on the list. */
export function PeopleForm({ list, onChange, abilities, onPreview }: PeopleFormProps) {
  const { isBusy, change, failure } = useFormChange(NOTHING_TOUCHED);
  const mayGiveRoles = useRight('sk.ManageRoles') === true;
  const set = (changed: Partial<PeopleList>): void => onChange({ ...list, ...changed });
  const preview = (event: FormEvent): void => {
    event.preventDefault();
    const { text, nameFrom, roles, origin } = list;
    void change(async () => {
      const body = {
        Text: text,
        NameFrom: nameFrom,
        Roles: [...roles],
        ...originBody(origin, abilities.ExternalSources),
      };
      onPreview(await call(previewUserImport, { body }));
    });
  };
  return (
    <Card>
      <form onSubmit={preview} noValidate>
        <ErrorSummary {...failure} />
        <PeopleField text={list.text} onChange={(text) => set({ text })} />
        <NewUserFields list={list} set={set} sources={abilities.ExternalSources} />
        {mayGiveRoles && (
          <RoleChoice label={t('Roles for everyone')} chosen={list.roles} onChange={(roles) => set({ roles })} />
        )}
        <div className="rs-form-actions">
          <SubmitButton text={t('Preview')} loading={isBusy} disabled={list.text.trim() === ''} />
        </div>
      </form>
    </Card>
  );
}

function PeopleField({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const [isOver, setOver] = useState(false);
  const read = async (file: File): Promise<void> => {
    // Characters need up to four bytes.
    if (file.size > IMPORT_TEXT_MAX * 4) return showError(t('The file is too large'));
    onChange(await readTextFile(file));
  };
  const drop = (event: DragEvent): void => {
    const [file, other] = event.dataTransfer.files;
    setOver(false);
    // Dropped text goes into the field as usual.
    if (!file) return;
    event.preventDefault();
    if (other) showError(t('You can upload only one file'));
    else void read(file);
  };
  return (
    <div
      className={isOver ? 'rs-people rs-people-over' : 'rs-people'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <FormField
        label={t('People')}
        limit={{ value: text, max: IMPORT_TEXT_MAX }}
        helper={t(
          'Paste email addresses, such as Ann Lee <ann@example.com>; bob@example.com. Or paste or drop a CSV file whose first line has the columns UserName or Email, and optionally FirstName, MiddleName, LastName and Roles (separated by |).',
        )}
      >
        {(field) => (
          <TextArea {...field} fill rows={8} value={text} onChange={(event) => onChange(event.target.value)} />
        )}
      </FormField>
      <FileButton
        icon={<Document />}
        text={t('Choose a CSV file')}
        label={t('CSV file')}
        accept=".csv,.txt,text/csv,text/plain"
        isDisabled={false}
        onChoose={(file) => void read(file)}
      />
    </div>
  );
}

interface NewUserFieldsProps {
  list: PeopleList;
  set: (changed: Partial<PeopleList>) => void;
  sources: UserAbilities['ExternalSources'];
}

const isNameFrom = (text: string): text is NameFrom => text === 'Address' || text === 'LocalPart';

function NewUserFields({ list, set, sources }: NewUserFieldsProps) {
  const names = [
    { value: 'Address', label: t('The email address') },
    { value: 'LocalPart', label: t('The part of the address before the @') },
  ];
  const origins = [
    { value: LOCAL, label: t('In this portal: they set a password with a link') },
    ...sources.map((source) => ({ value: originKey(source), label: source.Label })),
  ];
  return (
    <>
      <FormField label={t('User name, if the list has none')}>
        {(field) => (
          <HTMLSelect
            id={field.id}
            value={list.nameFrom}
            options={names}
            onChange={({ currentTarget: { value } }) => isNameFrom(value) && set({ nameFrom: value })}
          />
        )}
      </FormField>
      {sources.length > 0 && (
        <FormField label={t('Where new users sign in')}>
          {(field) => (
            <HTMLSelect
              id={field.id}
              value={list.origin}
              options={origins}
              onChange={({ currentTarget }) => set({ origin: currentTarget.value })}
            />
          )}
        </FormField>
      )}
    </>
  );
}
