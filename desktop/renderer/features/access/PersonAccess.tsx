import { EyeOpen, Search as SearchIcon } from '@blueprintjs/icons';
import { useRight } from '#renderer/app/profile.ts';
import { t } from '#renderer/language/translate.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Card } from '#renderer/ui/Page.tsx';

/** Leads to what a person sees, and why. Only for users who see the security matrix. */
export function PersonAccess({ userId, name }: { userId: number; name: string }) {
  if (useRight('sk.ViewSecurityMatrix') !== true) return null;
  return (
    <Card title={t('Access')}>
      <div className="rs-bar">
        <LinkButton
          to={`/accessReasons?user=${userId}`}
          icon={<SearchIcon />}
          text={t('Check access of {name}', { name })}
        />
        <LinkButton to={`/seeas/${userId}/`} icon={<EyeOpen />} text={t('See as {name}', { name })} />
      </div>
    </Card>
  );
}
