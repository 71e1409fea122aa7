/** Reads PortalSettings: how the activity presents itself. */
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import type { ProblemList } from './problems.ts';
import { problem } from './problems.ts';
import type { PortalRow } from './portal-tables.ts';
import { locationOf, textOf } from './portal-tables.ts';

type Display = ActivityDefinition['display'];
type Proposals = NonNullable<ActivityDefinition['proposals']>;

/** Maximum lengths in characters, as in the portal's own fields. */
const PROPOSALS: Record<keyof Proposals, number> = { Description: 200, Group: 30, Function: 30 };
const DISPLAY: Record<keyof Display, number> = { RunActivityTitle: 200, StartDisplayName: 60, Classifications: 1000 };

const KNOWN = [...Object.keys(DISPLAY), ...Object.keys(PROPOSALS)];

export function readSettings(
  rows: readonly PortalRow[],
  problems: ProblemList,
): { display: Display; proposals: Proposals } {
  const values = new Map<string, string>();
  for (const row of rows) {
    const name = textOf(row, 'Name').replace(/[\s_]/g, '').toLowerCase();
    const known = KNOWN.find((candidate) => candidate.toLowerCase() === name);
    const value = textOf(row, 'Value');
    const wrong = known === undefined ? unknown(textOf(row, 'Name')) : misuse(known, value, values.has(known));
    if (wrong) problems.add(locationOf(row, 'Name'), wrong);
    else values.set(known!, value);
  }
  const proposals: Proposals = {};
  for (const key of Object.keys(PROPOSALS) as (keyof Proposals)[]) {
    if (values.get(key)) proposals[key] = values.get(key)!;
  }
  return {
    display: {
      RunActivityTitle: values.get('RunActivityTitle') ?? '',
      StartDisplayName: values.get('StartDisplayName') ?? '',
      Classifications: (values.get('Classifications') ?? '')
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    },
    proposals,
  };
}

const unknown = (name: string): ReturnType<typeof problem> =>
  problem(`There is no setting '${name}'.`, `Known settings: ${KNOWN.join(', ')}.`);

function misuse(known: string, value: string, isSeen: boolean): ReturnType<typeof problem> | null {
  if (isSeen) return problem(`The setting ${known} appears twice.`, 'Delete one of the rows.');
  const maxLength = ({ ...DISPLAY, ...PROPOSALS } as Record<string, number>)[known]!;
  return value.length > maxLength
    ? problem(`The setting ${known} is longer than ${maxLength} characters.`, 'Shorten it.')
    : null;
}
