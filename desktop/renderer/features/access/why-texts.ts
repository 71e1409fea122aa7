/** Words for the reasons of access. */
import type { AccessFix, AccessReasons, AccessStep } from '#shared/contract/access-reasons.ts';
import { isRightName, type RightName } from '#shared/contract/rights.ts';
import { plainRight } from '#renderer/features/security/right-name.ts';
import { rightWords } from '#renderer/features/rights/right-reason.ts';
import { t } from '#renderer/language/translate.ts';

type Headlines = Partial<Record<RightName, readonly [can: (name: string) => string, cannot: (name: string) => string]>>;

/** What a right lets people do with an activity, as sentences. */
const HEADLINES: Headlines = {
  'sk.RunActivity': [
    (name) => t('{name} can run the activity', { name }),
    (name) => t("{name} can't run the activity", { name }),
  ],
  'sk.ViewRuns': [
    (name) => t("{name} can see everybody's runs", { name }),
    (name) => t("{name} can't see the runs of others", { name }),
  ],
  'sk.EditActivity': [
    (name) => t('{name} can change and share the activity', { name }),
    (name) => t("{name} can't change the activity", { name }),
  ],
  'sk.CancelAnyRun': [
    (name) => t("{name} can cancel everybody's runs", { name }),
    (name) => t("{name} can't cancel the runs of others", { name }),
  ],
  'sk.PurgeRuns': [
    (name) => t('{name} can delete runs and their files', { name }),
    (name) => t("{name} can't delete runs", { name }),
  ],
};

export function headline(right: RightName, access: boolean, name: string): string {
  const texts = HEADLINES[right];
  if (!texts) return plainRight(right);
  return access ? texts[0](name) : texts[1](name);
}

export function stepText(
  { IsGrant, Role, Scope, ImpliedBy }: AccessStep,
  { UserFullName: name, Schema }: AccessReasons,
): string {
  const where = scopeWords(Scope, Schema);
  const right = ImpliedBy && isRightName(ImpliedBy) ? rightWords(plainRight(ImpliedBy)) : null;
  if (right !== null) {
    return Role === ''
      ? t('{name} was personally granted the right to {right}, {where}. It includes this one.', { name, right, where })
      : t('The role {role} grants the right to {right}, {where}. It includes this one.', { role: Role, right, where });
  }
  if (Role === '')
    return IsGrant
      ? t('It was granted to {name} personally, {where}.', { name, where })
      : t('It was denied to {name} personally, {where}.', { name, where });
  return IsGrant
    ? t('The role {role} grants it, {where}.', { role: Role, where })
    : t('The role {role} denies it, {where}.', { role: Role, where });
}

export function scopeWords(scope: AccessStep['Scope'], schema: string): string {
  if (scope === 'Activity') return t('for this activity');
  return scope === 'Schema' ? t('for the schema {schema}', { schema }) : t('for all activities');
}

/** The change as a label of a button. */
export function fixText({ Kind, Role }: AccessFix, name: string): string {
  switch (Kind) {
    case 'Grant':
      return t('Grant it to {name} for this activity', { name });
    case 'Deny':
      return t('Deny it to {name} for this activity', { name });
    case 'RemoveGrant':
      return t('Take the grant back from {name}', { name });
    case 'RemoveDenial':
      return t('Remove the denial of {name}', { name });
    case 'RemoveRoleDenial':
      return t('Remove the denial of the role {role} (for everybody in the role)', { role: Role });
    case 'EnableRole':
      return t('Enable the role {role} (for everybody in the role)', { role: Role });
  }
}
