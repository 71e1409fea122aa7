import { Value } from 'typebox/value';
import { AppError } from '#server/base/app-error.ts';
import { Activity } from '#shared/contract/activities.ts';
import { REGION_IDS } from '#shared/codecs/text-region.ts';
import { ActivityUpload } from '#shared/contract/versions.ts';
import { parseMemoryCost, parseOrder } from '#shared/rules/activity-rules.ts';

/**
 * The text fields of an upload. An absent field keeps the activity's value, or gets the initial value of a new
 * activity.
 */
export type UploadFields = Partial<Omit<ActivityUpload, 'Order'>> & {
  /** Undefined if it was not sent or is not a number; see `orderInvalid`. */
  Order?: number | null;
};

export interface ReadUpload {
  fields: UploadFields;
  /** True if Order was sent but is not a number. */
  orderInvalid: boolean;
}

/** Initial values of a new activity. Source: specification of activities, section 3. */
export const NEW_ACTIVITY: Omit<ActivityUpload, 'Name' | 'Schema'> = {
  Id: 0,
  Description: '',
  SingleRun: true,
  IsActive: true,
  Group: '',
  Function: '',
  Order: null,
  MemoryCost: 0,
  ChangeDescription: '',
  AcceptUnsupported: [],
};

const TEXTS = ['Schema', 'Name', 'Description', 'Group', 'Function', 'ChangeDescription'] as const;

/** Fields of an activity that an upload does not need are ignored, so clients may send back what they received. */
const isIgnored = (name: string): boolean => !isField(name) && Object.hasOwn(Activity.properties, name);

/** Reads the text fields of an upload. Throws an AppError 400 if a field is unknown or cannot be read. */
export function readUploadFields(sent: Readonly<Record<string, string>>): ReadUpload {
  const fields: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(sent)) {
    if (!isIgnored(name)) fields[name] = readField(name, text);
    // Forms also send fields that were left blank.
    if (name === 'Region' && text.trim() === '') delete fields[name];
  }
  const orderInvalid = 'Order' in fields && fields['Order'] === undefined;
  if (orderInvalid) delete fields['Order'];
  return { fields: fields as UploadFields, orderInvalid };
}

function readField(name: string, text: string): unknown {
  if ((TEXTS as readonly string[]).includes(name)) return text;
  if (name === 'Order') return text === 'null' ? null : parseOrder(text);
  if (name === 'MemoryCost') return parseMemoryCost(text);
  if (name === 'Region') return readRegion(text);
  if (!isField(name)) throw invalid(`${name} is not a known field`);
  const value = parseJson(text);
  // Check the value here already, because the activity is looked up by its Id before all fields are checked together.
  if (!Value.Check(ActivityUpload.properties[name], value)) throw invalid(`${name} cannot be read`);
  return value;
}

/** Throws an AppError 400 for an unknown region. */
function readRegion(text: string): string {
  const tag = text.trim();
  const known = REGION_IDS.find((id) => id.toLowerCase() === tag.toLowerCase());
  if (known !== undefined || tag === '') return known ?? '';
  throw invalid(
    `'${tag.slice(0, 50)}' is not a known region: send a tag such as de-DE or en-US as Region, or omit Region`,
  );
}

const isField = (name: string): name is keyof typeof ActivityUpload.properties =>
  Object.hasOwn(ActivityUpload.properties, name);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const invalid = (message: string): AppError => new AppError('invalid_request', 400, message);

/** Throws an AppError 400 for the first field that violates the contract. */
export function checkUpload(upload: ActivityUpload): void {
  const [error] = Value.Errors(ActivityUpload, upload);
  if (error) throw invalid(`${error.instancePath.slice(1)} ${error.message}`);
  // Lengths count in UTF-16 units, as for request bodies (schema-compilers.ts).
  for (const name of TEXTS) {
    const { maxLength } = ActivityUpload.properties[name] as { maxLength?: number };
    if (maxLength !== undefined && upload[name].length > maxLength)
      throw invalid(`${name} must not have more than ${maxLength} characters`);
  }
}
