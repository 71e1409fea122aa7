import type { RetryEffect, RetryPlan } from '#shared/contract/run-failures.ts';
import { listText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';

const EFFECT_TEXTS: Record<RetryEffect, string> = {
  Procedure: t('calls a stored procedure'),
  Write: t('writes to a database'),
  Export: t('writes files'),
  Mail: t('sends email'),
  Start: t('starts other activities'),
};

/** Returns 'sends mails and writes files'. */
export const effectsText = (kinds: readonly RetryEffect[]): string => listText(kinds.map((kind) => EFFECT_TEXTS[kind]));

/** Returns what an activity does outside: 'Sales: sends mails and writes files'. */
export const effectText = ({ Name, Kinds }: RetryPlan['Effects'][number]): string =>
  t('{name}: {effects}', { name: Name, effects: effectsText(Kinds) });

/** Returns why runs are skipped, one sentence per cause. */
export function skippedTexts({ Retried, Steps, NotAllowed, NotFailed }: RetryPlan): string[] {
  return [
    Retried > 0 &&
      t('{count, plural, one {1 run has} other {# runs have}} already been retried and will be skipped.', {
        count: Retried,
      }),
    Steps > 0 &&
      t(
        '{count, plural, one {1 run is part} other {# runs are part}} of a workflow or of another run: resume it on its own page.',
        { count: Steps },
      ),
    NotAllowed > 0 &&
      t('{count, plural, one {1 run is} other {# runs are}} skipped because you may not run the activity.', {
        count: NotAllowed,
      }),
    NotFailed > 0 &&
      t('{count, plural, one {1 run has} other {# runs have}} not failed and will be skipped.', { count: NotFailed }),
  ].filter((text) => text !== false);
}
