import { People, Person } from '@blueprintjs/icons';
import type { ShareHolder } from '#shared/contract/sharing.ts';
import { t } from '#renderer/language/translate.ts';

export const keyOfHolder = ({ UserId, Name }: ShareHolder): string =>
  UserId === null ? `role ${Name}` : `user ${UserId}`;

/** A name, with user name and mail address, or the number of people, below it. */
export function HolderName({ holder }: { holder: ShareHolder }) {
  const { Name, UserName, Email, MemberCount, IsActive } = holder;
  const Icon = MemberCount === null ? Person : People;
  const below =
    MemberCount === null
      ? [UserName, Email].filter((part) => part !== '').join(' · ')
      : t('Role · {count, plural, one {# person} other {# people}}', { count: MemberCount });
  return (
    <span className="rs-share-holder">
      <Icon size={16} title={false} />
      <span className="rs-share-name">
        {Name} {!IsActive && <span className="rs-muted">({t('Disabled')})</span>}
        <span className="rs-muted">{below}</span>
      </span>
    </span>
  );
}
