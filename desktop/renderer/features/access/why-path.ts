const OF_ACTIVITY = /^\/activities\/(?:(?:run|edit|runhistory|versions)\/)?(\d+)(?:\/|$)/;
const OF_USER = /^\/(?:edituser|seeas)\/(\d+)(?:\/|$)/;

export const WHY_PATH = '/accessReasons';

/** Returns the address of the page that explains access, with the activity or user of the current page chosen. */
export function whyPath(pathname: string): string {
  const activity = OF_ACTIVITY.exec(pathname)?.[1];
  if (activity !== undefined) return `${WHY_PATH}?activity=${activity}`;
  const user = OF_USER.exec(pathname)?.[1];
  return user === undefined ? WHY_PATH : `${WHY_PATH}?user=${user}`;
}
