/** Measures what the portal adds to a run, to the list of activities, and to a page of history. `npm run bench`. */
import { print, printMachine } from './measure.ts';
import { publishOneCell } from './one-cell.ts';
import { startBenchPortal } from './portal.ts';
import { benchHistory, benchList } from './reading.ts';
import { benchRun } from './run.ts';

export async function benchSpine(): Promise<void> {
  const portal = await startBenchPortal();
  try {
    const activity = await publishOneCell(portal, 'One cell');
    printMachine();
    const { comparisons, stored } = await benchRun(portal, activity);
    for (const comparison of comparisons) print(comparison);
    console.log(`Part of it until Succeeded was stored: ${stored.median} ms (${stored.min} to ${stored.max})\n`);
    printMachine();
    for (const comparison of await benchHistory(portal)) print(comparison);
    for (const comparison of await benchList(portal, activity)) print(comparison);
    printMachine();
  } finally {
    await portal.stop();
  }
}
