import { Button, HTMLSelect } from '@blueprintjs/core';
import { useState } from 'react';
import { directoryProfile, type DirectoryProfile } from '#shared/contract/users.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { t } from '#renderer/language/translate.ts';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { showSuccess } from '#renderer/ui/toaster.tsx';
import {
  isFromDirectory,
  LOCAL,
  originKey,
  sourceNameHint,
  sourceNameMax,
  type Origins,
  type UserFormFields,
  type UserFormIssues,
} from './user-form.ts';

interface OriginFieldsProps {
  fields: UserFormFields;
  issues: UserFormIssues;
  origins: Origins;
  change: (values: Partial<UserFormFields>) => void;
  refuse: (issues: UserFormIssues, title: string) => void;
}

/** Fields for the source of a new user: the user name there, and a directory lookup. */
export function OriginFields({ fields, issues, origins, change, refuse }: OriginFieldsProps) {
  const { origin } = fields;
  const options = [
    { value: LOCAL, label: t('Local: the password is stored here') },
    ...origins.ExternalSources.map((source) => ({
      value: originKey(source),
      label: `${source.Label} (${source.Source === 'AD' ? 'directory' : t('single sign-on')})`,
    })),
  ];
  return (
    <>
      <FormField label={t('Source')} id="user-origin" error={issues.origin}>
        {({ intent: _intent, ...field }) => (
          <HTMLSelect
            {...field}
            fill
            value={origin}
            options={options}
            onChange={(event) => change({ origin: event.currentTarget.value })}
          />
        )}
      </FormField>
      {origin !== LOCAL && (
        <TextField
          id="user-SourceUserName"
          label={isFromDirectory(origin) ? t('Directory name') : t('Name at the provider')}
          value={fields.SourceUserName}
          onChange={(SourceUserName) => change({ SourceUserName })}
          error={issues.SourceUserName}
          helper={sourceNameHint(fields)}
          maxLength={sourceNameMax(origin)}
          cuts
        />
      )}
      {isFromDirectory(origin) && <FetchProfile fields={fields} change={change} refuse={refuse} />}
    </>
  );
}

function FetchProfile({ fields, change, refuse }: Pick<OriginFieldsProps, 'fields' | 'change' | 'refuse'>) {
  const [isFetching, setFetching] = useState(false);
  const fetchProfile = async (): Promise<void> => {
    const userName = fields.SourceUserName.trim() || fields.UserName.trim();
    if (userName === '') {
      const text = t('User name must be specified');
      return refuse({ UserName: text }, text);
    }
    setFetching(true);
    try {
      const [, SourceName = ''] = fields.origin.split(' ');
      change(fieldsOf(await call(directoryProfile, { params: { userName }, query: { SourceName } }), fields));
      refuse({}, '');
      showSuccess(t('Attributes fetched from Active Directory'));
    } catch (error) {
      const { message } = toFailure(error);
      refuse({ SourceUserName: message }, message);
    } finally {
      setFetching(false);
    }
  };
  return (
    <div className="rs-field">
      <Button text={t('Fetch from directory')} loading={isFetching} onClick={() => void fetchProfile()} />
    </div>
  );
}

function fieldsOf(profile: DirectoryProfile, { UserName }: UserFormFields): Partial<UserFormFields> {
  const { SourceUserName, FirstName, LastName, Email } = profile;
  return {
    SourceUserName,
    UserName: UserName.trim() || SourceUserName,
    ...(FirstName && { FirstName }),
    ...(LastName && { LastName }),
    ...(Email && { Email }),
  };
}
