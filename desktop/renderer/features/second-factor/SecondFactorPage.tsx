import { Button } from '@blueprintjs/core';
import { useState } from 'react';
import type { SecondFactorKey } from '#shared/contract/auth.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
  secondFactorState,
  turnOffSecondFactor,
  type SecondFactorState,
} from '#shared/contract/second-factor.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '#renderer/api/client.ts';
import { encryptPasswords } from '#renderer/api/passwords.ts';
import { keyOf, queryClient, queryOf } from '#renderer/api/queries.ts';
import { useSession } from '#renderer/app/session.ts';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { t } from '#renderer/language/translate.ts';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { EmptyState } from '#renderer/ui/states.tsx';
import { showSuccess } from '#renderer/ui/toaster.tsx';
import { FactorSetup } from './FactorSetup.tsx';
import { ProofForm, type Proof } from './ProofForm.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

type Task = 'on' | 'codes' | 'off';

const refetch = (): Promise<void> => queryClient.invalidateQueries({ queryKey: keyOf(secondFactorState) });

/** /secondfactor: the user's own second factor. */
export function SecondFactorPage() {
  const query = useQuery(queryOf(secondFactorState));
  return (
    <Page
      title={t('Two-step sign-in')}
      description={t(
        'With a second factor, signing in requires your password and a code from an authenticator app on your phone.',
      )}
      narrow
    >
      <QueryStates query={query} kind="form">
        {(state) =>
          state.IsOffered ? (
            <Factor state={state} />
          ) : (
            <EmptyState title={t('Your password and second factor are not managed here')} />
          )
        }
      </QueryStates>
    </Page>
  );
}

function Factor({ state }: { state: SecondFactorState }) {
  const [task, setTask] = useState<Task | null>(null);
  const [setup, setSetup] = useState<SecondFactorKey | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const userName = useSession(({ session }) => session?.userName ?? '');

  const done = async (shown: string[] | null, text: string): Promise<void> => {
    setTask(null);
    setSetup(null);
    setCodes(shown);
    showSuccess(text);
    await refetch();
  };
  const work = async ({ password, code }: Proof): Promise<void> => {
    if (task === 'on' && setup) {
      const { RecoveryCodes: newCodes } = await call(confirmSecondFactor, { body: { Code: code } });
      return done(newCodes, t('Your second factor is on'));
    }
    const [Password = ''] = await encryptPasswords(userName, [password]);
    if (task === 'on') return setSetup(await call(beginSecondFactor, { body: { Password } }));
    const body = { Password, Code: code };
    if (task === 'off') {
      await call(turnOffSecondFactor, { body });
      return done(null, t('Your second factor is off'));
    }
    const { RecoveryCodes: newCodes } = await call(renewRecoveryCodes, { body });
    return done(newCodes, t('The old recovery codes no longer work'));
  };

  if (codes) {
    return (
      <Card title={t('Recovery codes')}>
        <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />
      </Card>
    );
  }
  if (task === null) {
    return <StateCard state={state} onTask={setTask} />;
  }
  return (
    <Card title={TITLES[task]}>
      {setup && <FactorSetup setup={setup} />}
      <ProofForm
        key={setup ? 'code' : 'password'}
        asks={{ password: !setup, code: task !== 'on' || setup !== null }}
        submit={setup ? t('Turn on') : task === 'on' ? t('Continue') : TITLES[task]}
        work={work}
        onCancel={() => {
          setTask(null);
          setSetup(null);
        }}
      />
    </Card>
  );
}

const TITLES: Record<Task, string> = { on: t('Turn on'), codes: t('New recovery codes'), off: t('Turn off') };

function StateCard({ state, onTask }: { state: SecondFactorState; onTask: (task: Task) => void }) {
  const { IsOn, IsRequired, RecoveryCodes: left } = state;
  return (
    <Card title={IsOn ? t('Your second factor is on') : t('Your second factor is off')}>
      {IsOn && (
        <p>{t('{left, plural, one {One recovery code is left.} other {# recovery codes are left.}}', { left })}</p>
      )}
      {IsRequired && (
        <p>
          {t(
            'You must have a second factor: if you have none, you set it up at the next sign-in. To change your phone, turn it off first.',
          )}
        </p>
      )}
      <div className="rs-form-actions">
        {!IsOn && <Button intent="primary" text={t('Turn on')} onClick={() => onTask('on')} />}
        {IsOn && <Button text={t('New recovery codes')} onClick={() => onTask('codes')} />}
        {IsOn && <Button intent="danger" text={t('Turn off')} onClick={() => onTask('off')} />}
      </div>
    </Card>
  );
}
