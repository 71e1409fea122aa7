/** Reads and writes the stored layouts of lists. */
export interface ListLayout {
  /** Pixels of the columns whose width the person chose, by their keys. */
  widths: Readonly<Record<string, number>>;
  /** Number of columns at the left that do not scroll; absent if the person has not chosen. */
  frozen?: number;
}

export type ListLayouts = Readonly<Record<string, ListLayout>>;

/** Layouts of lists that were arranged long ago are dropped, because lists belong to objects, and these come and go. */
const MAX_LISTS = 200;

/** Returns the layouts, oldest change first. What this version cannot read counts as not arranged. */
export function readLayouts(text: string | null): ListLayouts {
  if (text === null) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return {};
    return Object.fromEntries(Object.entries(value).flatMap(([list, one]) => layoutIn(list, one)));
  } catch {
    return {};
  }
}

function layoutIn(list: string, value: unknown): [string, ListLayout][] {
  if (!isObject(value) || !isObject(value['widths'])) return [];
  const widths = Object.fromEntries(Object.entries(value['widths']).filter(isWidth));
  const { frozen } = value;
  return [[list, typeof frozen === 'number' && frozen >= 0 ? { widths, frozen } : { widths }]];
}

/** Names come from workbooks and databases, so one may be that of a property that every object has. */
export const layoutOf = (layouts: ListLayouts, list: string): ListLayout | undefined =>
  Object.hasOwn(layouts, list) ? layouts[list] : undefined;

export const chosenWidth = ({ widths }: ListLayout, key: string): number | undefined =>
  Object.hasOwn(widths, key) ? widths[key] : undefined;

/** Returns the layouts with that of one list, which is now the newest. An empty layout is not stored. */
export function withLayout(layouts: ListLayouts, list: string, layout: ListLayout): ListLayouts {
  const others = Object.entries(layouts).filter(([name]) => name !== list);
  const isPlain = layout.frozen === undefined && Object.keys(layout.widths).length === 0;
  return Object.fromEntries([...others, ...(isPlain ? [] : [[list, layout] as const])].slice(-MAX_LISTS));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isWidth = (entry: [string, unknown]): entry is [string, number] =>
  typeof entry[1] === 'number' && entry[1] > 0 && Number.isFinite(entry[1]);
