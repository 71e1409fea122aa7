import type { Activity } from '#shared/contract/activities.ts';

/** Returns the page title that the activity defines, with {0} replaced by its name. */
export function runTitle({ DisplayInfo, Name }: Activity): string {
  return DisplayInfo.RunActivityTitle === '' ? Name : DisplayInfo.RunActivityTitle.replaceAll('{0}', Name);
}
