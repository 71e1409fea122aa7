import { t } from '#renderer/language/translate.ts';
import type { AdministrationGroup } from './portal-page.ts';

const TITLES: Readonly<Record<AdministrationGroup, () => string>> = {
  People: () => t('People'),
  Access: () => t('Access'),
  Setup: () => t('Setup'),
  'Data and retention': () => t('Data and retention'),
  System: () => t('System'),
};

export const groupTitle = (group: AdministrationGroup): string => TITLES[group]();
