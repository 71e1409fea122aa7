import { Fragment, useState, type FormEvent } from 'react';
import { checkSetup, type SetupCheck, type SetupItem, type SetupKey } from '#shared/contract/setup.ts';
import { SOURCE_NAME_MAX } from '#shared/rules/user-rules.ts';
import { call } from '#renderer/api/client.ts';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { t } from '#renderer/language/translate.ts';
import { TextField } from '#renderer/ui/FormField.tsx';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';
import { CheckResult, FindingList, StateMark } from './CheckResult.tsx';
import { CommandLines, SettingLines } from './SettingLines.tsx';
import { SignInTest } from './SignInTest.tsx';
import { TestMailForm } from './TestMailForm.tsx';

const TITLES: Readonly<Record<SetupKey, string>> = {
  mail: t('Mail'),
  signIn: t('Sign-in'),
  address: t('Address and TLS'),
  backup: t('Backup'),
  files: t('Files'),
  database: t('Database'),
  license: t('License'),
  metrics: t('Monitoring'),
  versions: t('Versions'),
};

const CHECK_LABELS: Partial<Record<SetupKey, string>> = {
  address: t('Check the address'),
  files: t('Check the files'),
  database: t('Check the database'),
};

/** Pages where a part can be changed or seen in detail. */
const LINKS: Partial<Record<SetupKey, { to: string; text: string }>> = {
  license: { to: '/renewLicense', text: t('Renew License') },
  versions: { to: '/system', text: t('System') },
};

/** One part: its state, what was found, checks, and the settings that change it. */
export function SetupCard({ item }: { item: SetupItem }) {
  const { Key, State, Findings, Settings, Commands, Checks } = item;
  const link = LINKS[Key];
  return (
    <section className="rs-card rs-setup" aria-labelledby={`setup-${Key}`}>
      <div className="rs-setup-head">
        <h2 id={`setup-${Key}`}>{TITLES[Key]}</h2>
        <StateMark state={State} />
      </div>
      <FindingList findings={Findings} />
      {Key === 'mail' && <TestMailForm isOff={State === 'Off'} />}
      {Checks.map((name) => (
        <Fragment key={name}>
          <Check part={Key} name={name} />
          {/^(saml2|oidc):/.test(name) && <SignInTest name={name} />}
        </Fragment>
      ))}
      {link && <LinkButton {...link} />}
      <CommandLines commands={Commands} />
      <SettingLines label={TITLES[Key]} settings={Settings} />
    </section>
  );
}

const NOTHING_TOUCHED = [] as const;

function Check({ part, name }: { part: SetupKey; name: string }) {
  const { isBusy, change } = useChange(NOTHING_TOUCHED);
  const [person, setPerson] = useState('');
  const [result, setResult] = useState<SetupCheck | null>(null);
  const check = (event: FormEvent): void => {
    event.preventDefault();
    void change(async () => {
      setResult(null);
      setResult(await call(checkSetup, { body: { Key: part, Name: name, Person: person } }));
    });
  };
  return (
    <form className="rs-setup-check" onSubmit={check}>
      {name.startsWith('ad:') && (
        <TextField
          label={t('Person to look up in {name}', { name })}
          labelInfo={t('optional')}
          value={person}
          onChange={setPerson}
          maxLength={SOURCE_NAME_MAX}
        />
      )}
      <SubmitButton
        intent="none"
        text={name === '' ? CHECK_LABELS[part] : t('Check {name}', { name })}
        loading={isBusy}
      />
      <div role="status">{result && <CheckResult result={result} />}</div>
    </form>
  );
}
