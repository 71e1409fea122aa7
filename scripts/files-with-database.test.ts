import { describe, expect, it } from 'vitest';
import { hasDatabase } from './files-with-database.ts';

describe('a file of tests has a database', () => {
  it('where it asks for one itself, or by way of what sets it up', () => {
    expect(hasDatabase('server/db/migrate.test.ts')).toBe(true);
    // Indirectly, through workflow-bench.ts, worker-bench.ts and database.ts.
    expect(hasDatabase('server/workflows/workflow-engine.test.ts')).toBe(true);
    expect(hasDatabase('server/connections/procedures/hostile.test.ts')).toBe(true);
  });

  it('where it calculates alone, or is not there, it has none', () => {
    expect(hasDatabase('server/calculation/fidelity.test.ts')).toBe(false);
    expect(hasDatabase('server/no-such.test.ts')).toBe(false);
  });
});
