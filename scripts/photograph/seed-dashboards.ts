/**
 * Dashboards with tiles of each kind, with ordinary results and with the largest and longest possible ones. Many more
 * dashboards fill the list.
 */
import type { Activity } from '#shared/contract/activities.ts';
import type { Tile } from '#shared/contract/dashboards.ts';
import type { BenchPortal } from '../bench/portal.ts';

const MANY = 58;

export interface DashboardSources {
  /** Activities with numbers over a quarter of a year, with a table, with a date, and with results at their limits. */
  busy: Activity;
  table: Activity;
  choices: Activity;
  limits: Activity;
  checklist: number;
  people: readonly number[];
}

type TilePlacement = Pick<Tile, 'X' | 'Y' | 'W' | 'H'> & { Title?: string };

const outputOf = ({ Outputs, Name }: Activity, name: string): number => {
  const found = Outputs.find((output) => output.Name === name);
  if (!found) throw new Error(`${Name} has no output ${name}`);
  return found.Id;
};

/** Returns the Ids of the ordinary dashboard and of the one at its limits, and the token of the public one. */
export async function addDashboards(
  portal: BenchPortal,
  sources: DashboardSources,
): Promise<{ usual: number; limits: number; token: string }> {
  const save = async (Name: string, Tiles: Tile[]): Promise<number> =>
    (await portal.call<{ Id: number }>('POST', '/api/dashboards/save', { Id: null, Revision: 0, Name, Tiles })).Id;
  const usual = await save('Month end at a glance', usualTiles(sources));
  const limits = await save('W'.repeat(60), limitTiles(sources));
  for (let at = 1; at <= MANY; at += 1) await save(`Figures of team ${at}`, []);
  const Shares = [
    { RoleName: 'Accounting Berlin', CanEdit: true },
    { RoleName: 'Treasury Zürich', CanEdit: false },
    ...sources.people.slice(0, 12).map((UserId) => ({ UserId, CanEdit: UserId % 2 === 0 })),
  ];
  await portal.call('POST', '/api/dashboards/share', { Id: usual, Shares });
  await portal.call('POST', '/api/dashboards/startroles', { Id: usual, Roles: ['Accounting Berlin'] });
  const shown = await save('For everybody', publicTiles(sources));
  const { Token } = await portal.call<{ Token: string }>('POST', '/api/dashboards/publish', { Id: shown, Days: 30 });
  return { usual, limits, token: Token };
}

const tile = (Id: string, { Title = '', ...placement }: TilePlacement) => ({ Id, Title, ...placement });

function value(Id: string, activity: Activity, output: string, placement: TilePlacement): Tile {
  return {
    ...tile(Id, placement),
    Kind: 'Value',
    ActivityId: activity.Id,
    OutputId: outputOf(activity, output),
    Runs: 60,
  };
}

function plot(Id: string, activity: Activity, output: string, placement: TilePlacement): Tile {
  return {
    ...tile(Id, placement),
    Kind: 'Plot',
    ActivityId: activity.Id,
    OutputId: outputOf(activity, output),
    Runs: 400,
  };
}

function table(Id: string, activity: Activity, output: string, placement: TilePlacement): Tile {
  return { ...tile(Id, placement), Kind: 'Table', ActivityId: activity.Id, OutputId: outputOf(activity, output) };
}

function outcomes(
  Id: string,
  of: { activity?: Activity; checklist?: number },
  placement: TilePlacement,
  Runs = 100,
): Tile {
  const whose = { ActivityId: of.activity?.Id ?? null, ChecklistId: of.checklist ?? null };
  return { ...tile(Id, placement), Kind: 'Outcomes', ...whose, Scheduled: false, Runs };
}

function usualTiles({ busy, table: lines, choices, checklist }: DashboardSources): Tile[] {
  return [
    value('total', busy, 'Total', { X: 0, Y: 0, W: 3, H: 4 }),
    value('interest', busy, 'Interest', { X: 3, Y: 0, W: 3, H: 4, Title: 'Interest of the month' }),
    value('review', choices, 'Next Review', { X: 6, Y: 0, W: 3, H: 4 }),
    value('loss', choices, 'Loss', { X: 9, Y: 0, W: 3, H: 4 }),
    plot('course', busy, 'Total', { X: 0, Y: 4, W: 8, H: 6 }),
    {
      ...tile('words', { X: 8, Y: 4, W: 4, H: 3 }),
      Kind: 'Text',
      Text: 'Send the ledger by the third day.\nQuestions: Treasury, extension 4711',
    },
    { ...tile('waits', { X: 8, Y: 7, W: 4, H: 6 }), Kind: 'Approvals' },
    outcomes('ends', { activity: busy }, { X: 0, Y: 10, W: 4, H: 6 }),
    outcomes('chain', { checklist }, { X: 4, Y: 10, W: 4, H: 3 }),
    table('rows', lines, 'Values', { X: 8, Y: 13, W: 4, H: 6 }),
  ];
}

function limitTiles({ limits, busy }: DashboardSources): Tile[] {
  const long = 'Discounted cash flow of all subsidiaries before minority interests and tax';
  return [
    value('large', limits, 'Very large', { X: 0, Y: 0, W: 3, H: 4 }),
    value('cash', limits, long, { X: 3, Y: 0, W: 3, H: 4 }),
    value('tiny', limits, 'Tiny', { X: 6, Y: 0, W: 1, H: 1 }),
    value('narrow', limits, long, { X: 7, Y: 0, W: 1, H: 4 }),
    value('blank', limits, 'Blank', { X: 8, Y: 0, W: 2, H: 4 }),
    value('final', limits, 'Is final', { X: 10, Y: 0, W: 2, H: 4 }),
    value('remark', limits, 'Remark', { X: 0, Y: 4, W: 4, H: 3, Title: 'Z'.repeat(100) }),
    value('unbroken', limits, 'Unbroken', { X: 4, Y: 4, W: 4, H: 3 }),
    value('flat', limits, 'Nothing', { X: 8, Y: 4, W: 4, H: 3 }),
    table('wide', limits, 'Companies', { X: 0, Y: 7, W: 6, H: 7 }),
    plot('plot', limits, 'Very large', { X: 6, Y: 7, W: 6, H: 4 }),
    plot('short', busy, 'Total', { X: 6, Y: 11, W: 2, H: 2 }),
    outcomes('small', { activity: busy }, { X: 8, Y: 11, W: 1, H: 2 }),
    {
      ...tile('words', { X: 9, Y: 11, W: 3, H: 3 }),
      Kind: 'Text',
      Text: `${'y'.repeat(300)} ${'On and on. '.repeat(60)}`,
    },
    { ...tile('gone', { X: 0, Y: 14, W: 4, H: 3 }), Kind: 'Value', ActivityId: 2_000_000, OutputId: 1, Runs: 10 },
  ];
}

const publicTiles = ({ busy }: DashboardSources): Tile[] => [
  value('total', busy, 'Total', { X: 0, Y: 0, W: 4, H: 4 }),
  plot('course', busy, 'Total', { X: 4, Y: 0, W: 8, H: 6 }),
  outcomes('ends', { activity: busy }, { X: 0, Y: 4, W: 4, H: 4 }, 30),
];
