/** Names rights by what they let people do with an activity. */
import type { ShareLevel, SharedRight } from '#shared/rules/share-levels.ts';
import { t } from '#renderer/language/translate.ts';

/** The name of each level, and what its holders can see. */
export const LEVEL: Record<ShareLevel, { title: string; sees: string }> = {
  Run: { title: t('Run'), sees: t('See the activity and its form, run it, and see their own runs.') },
  SeeRuns: {
    title: t('Run and see runs'),
    sees: t("Also see everyone's runs, with their inputs and outputs."),
  },
  Edit: {
    title: t('Edit'),
    sees: t('Also change the activity, upload new versions, download its workbook, and share it with others.'),
  },
};

/** For people who hold single rights that are no level. */
export const RIGHT: Record<SharedRight, string> = {
  'sk.RunActivity': t('Run'),
  'sk.ViewRuns': t('See runs'),
  'sk.EditActivity': t('Edit'),
};
