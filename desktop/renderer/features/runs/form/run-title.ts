import type { Activity } from '#shared/contract/activities.ts';

/** The activity's own title for the page, with {0} for its name. */
export function runTitle({ DisplayInfo, Name }: Activity): string {
  return DisplayInfo.RunActivityTitle === '' ? Name : DisplayInfo.RunActivityTitle.replaceAll('{0}', Name);
}
