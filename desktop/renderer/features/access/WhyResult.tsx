import { Callout, Tag } from '@blueprintjs/core';
import { Cross, Tick } from '@blueprintjs/icons';
import { Link } from 'react-router-dom';
import {
  accessReasons,
  type AccessFix,
  type AccessReason,
  type AccessReasons,
} from '#shared/contract/access-reasons.ts';
import { activityShares } from '#shared/contract/sharing.ts';
import { enableUser } from '#shared/contract/users.ts';
import { call } from '#renderer/api/client.ts';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { TOUCHED as GRANTS } from '#renderer/features/rights/use-grants.ts';
import { t } from '#renderer/language/translate.ts';
import { Card } from '#renderer/ui/Page.tsx';
import { ServerButton } from '#renderer/ui/ServerButton.tsx';
import { applyFix } from './apply-fix.ts';
import { fixText, headline, stepText } from './why-texts.ts';

const TOUCHED = [accessReasons, activityShares, ...GRANTS];

/** The chain of reasons for each right on the activity. */
export function WhyResult({ about }: { about: AccessReasons }) {
  return (
    <>
      <Obstacles about={about} />
      <Card>
        <ul className="rs-plain-list rs-why" aria-label={t('Reasons')}>
          {inOrder(about.Rights).map((reason) => (
            <li key={reason.Right}>
              <Reason about={about} reason={reason} />
            </li>
          ))}
        </ul>
      </Card>
    </>
  );
}

/** What people ask about most comes first. */
const inOrder = (rights: readonly AccessReason[]): AccessReason[] =>
  rights.toSorted((a, b) => Number(b.Right === 'sk.RunActivity') - Number(a.Right === 'sk.RunActivity'));

/** What prevents access whatever the rights are. */
function Obstacles({ about }: { about: AccessReasons }) {
  const { UserId, UserFullName: name, IsEnabled, CanEnable, IsActive, ActivityId } = about;
  const { isBusy, change } = useChange(TOUCHED);
  return (
    <>
      {!IsEnabled && (
        <Callout intent="warning" className="rs-why-obstacle">
          <p>{t('{name} is disabled and cannot sign in.', { name })}</p>
          {CanEnable && (
            <ServerButton
              text={t('Enable {name}', { name })}
              loading={isBusy}
              onClick={() => void change(() => call(enableUser, { params: { id: UserId } }), t('Enabled'))}
            />
          )}
        </Callout>
      )}
      {!IsActive && (
        <Callout intent="warning" className="rs-why-obstacle">
          <p>{t('The activity is not active. Nobody can run it, and only its editors see it.')}</p>
          <Link to={`/activities/edit/${ActivityId}/`}>{t('Edit the activity')}</Link>
        </Callout>
      )}
    </>
  );
}

function Reason({ about, reason }: { about: AccessReasons; reason: AccessReason }) {
  const { UserFullName: name, IsUserAdmin, HasTrustedNetworks } = about;
  const { Right, Access, Steps, Fix, CountsOutside } = reason;
  const Icon = Access ? Tick : Cross;
  return (
    <>
      <h2 className="rs-why-head">
        <Icon size={16} title={Access ? t('Yes') : t('No')} className={Access ? 'rs-success-text' : 'rs-danger-text'} />
        <span>
          {headline(Right, Access, name)} <span className="rs-muted">({Right})</span>
        </span>
      </h2>
      {IsUserAdmin && <p>{t('{name} is an administrator and has every right.', { name })}</p>}
      {!IsUserAdmin && Steps.length === 0 && (
        <p>{t('Nothing was granted to {name} or to their roles, and nothing was denied.', { name })}</p>
      )}
      {Steps.length > 0 && (
        <ol className="rs-why-steps">
          {Steps.map((step, index) => (
            <li key={index} className={step.Decides ? undefined : 'rs-muted'}>
              {stepText(step, about)} {!step.IsRoleActive && t('The role is not active, so this has no effect.')}{' '}
              {step.Decides && <Tag minimal>{t('decides')}</Tag>}
            </li>
          ))}
        </ol>
      )}
      {Access && HasTrustedNetworks && !CountsOutside && (
        <p>{t('It does not count outside the trusted networks, because the internet does not have this right.')}</p>
      )}
      {Fix && <Change about={about} reason={reason} fix={Fix} />}
    </>
  );
}

function Change({ about, reason, fix }: { about: AccessReasons; reason: AccessReason; fix: AccessFix }) {
  const { isBusy, change } = useChange(TOUCHED);
  const text = fixText(fix, about.UserFullName);
  if (!fix.CanApply) {
    return (
      <p className="rs-muted">
        {fix.Kind === 'EnableRole'
          ? t('What would change it: {change}. Anyone who manages roles can do that.', { change: text })
          : t('What would change it: {change}. Anyone who manages rights can do that.', { change: text })}
      </p>
    );
  }
  return (
    <ServerButton
      size="small"
      intent={!reason.Access && reason.Right === 'sk.RunActivity' ? 'primary' : 'none'}
      text={text}
      loading={isBusy}
      onClick={() => void change(() => applyFix(about, reason.Right, fix), t('Changed'))}
    />
  );
}
