/** Paths of the pages about a right. Source: specification of security, section 2. */
const part = encodeURIComponent;

export interface RightAddress {
  name: string;
  /** Both are empty for All. */
  keyColumn?: string;
  value?: string;
}

function tail({ keyColumn = '', value = '' }: RightAddress): string {
  return keyColumn === '' ? '' : `${part(keyColumn)}/${part(value)}/`;
}

export const assignPath = (right: RightAddress): string => `/rights/assign/${part(right.name)}/${tail(right)}`;
export const internetPath = (right: RightAddress): string =>
  `/rights/assignInternetRights/${part(right.name)}/${tail(right)}`;
export const refinePath = (name: string, keyColumn: string): string =>
  `/rights/refine/${part(name)}/${part(keyColumn)}/`;
export const editPath = (name: string, keyColumn = ''): string =>
  `/rights/edit/${part(name)}/${keyColumn === '' ? '' : `${part(keyColumn)}/`}`;
