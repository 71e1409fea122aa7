import type { Connections } from '#server/connections/types.ts';
import type { KeyValues } from '#server/access/rights/key-values.ts';

/** Lists the connections that sk.UseConnection can be restricted to. */
export function connectionKeyValues({ names }: Pick<Connections, 'names'>): { Name: KeyValues } {
  return {
    Name: {
      displayColumns: [],
      list: async () =>
        names.map((name) => ({
          value: name,
          DisplayColumnName: '',
          DisplayColumnValue: '',
          keys: { Name: name },
        })),
    },
  };
}
