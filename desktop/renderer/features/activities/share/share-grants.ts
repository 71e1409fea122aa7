/** Derives with whom an activity is shared from the ordinary grants on it. */
import type { GrantInfo } from '#shared/contract/right-grants.ts';
import { t } from '#renderer/language/translate.ts';

export const LEVELS = ['run', 'runs', 'edit'] as const;
export type Level = (typeof LEVELS)[number];

/** The name of each level, the rights that it grants, and what its holders can see. */
export const LEVEL: Record<Level, { title: string; rights: readonly string[]; sees: string }> = {
  run: {
    title: t('Run'),
    rights: ['sk.RunActivity'],
    sees: t('See the activity and its form, run it, and see their own runs.'),
  },
  runs: {
    title: t('Run and see runs'),
    rights: ['sk.RunActivity', 'sk.ViewRuns'],
    sees: t("Also see everyone's runs, with their inputs and outputs."),
  },
  edit: {
    title: t('Edit'),
    rights: ['sk.EditActivity'],
    sees: t('Also change the activity, upload new versions, and download its workbook.'),
  },
};

export const SHARED_RIGHTS = ['sk.RunActivity', 'sk.ViewRuns', 'sk.EditActivity'] as const;

export interface Grantee {
  kind: 'user' | 'role';
  /** Id of a user, or name of a role. */
  id: number | string;
  name: string;
}

export interface Share extends Grantee {
  level: Level;
  /** Rights that were granted on this activity itself. */
  rights: string[];
}

/** @param infos infos of SHARED_RIGHTS, in the same order */
export function sharesOf(infos: readonly GrantInfo[]): Share[] {
  const found = new Map<string, Share>();
  infos.forEach((info, index) => {
    const right = SHARED_RIGHTS[index]!;
    const granted: Grantee[] = [
      ...info.RoleGrants.filter(({ ExplicitAccess }) => ExplicitAccess === 1).map(roleGrantee),
      ...info.UserGrants.filter(({ ExplicitAccess }) => ExplicitAccess === 1).map(userGrantee),
    ];
    for (const grantee of granted) {
      const key = `${grantee.kind} ${grantee.id}`;
      const rights = [...(found.get(key)?.rights ?? []), right];
      found.set(key, { ...grantee, rights, level: levelOf(rights) });
    }
  });
  return [...found.values()];
}

export const roleGrantee = ({ RoleName }: GrantInfo['RoleGrants'][number]): Grantee => ({
  kind: 'role',
  id: RoleName,
  name: RoleName,
});

export const userGrantee = ({ UserId, UserName, FirstName, LastName }: GrantInfo['UserGrants'][number]): Grantee => ({
  kind: 'user',
  id: UserId,
  name: `${FirstName} ${LastName}`.trim() || UserName,
});

function levelOf(rights: readonly string[]): Level {
  if (rights.includes('sk.EditActivity')) return 'edit';
  return rights.includes('sk.ViewRuns') ? 'runs' : 'run';
}
