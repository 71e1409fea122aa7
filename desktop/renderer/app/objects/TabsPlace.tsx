/** Pages of tabs that have several pages, which form a second row. */
const IN_SECOND_ROW =
  /^\/(activities\/(runhistory|runstatus|follow|batch)|(activities|checklists)\/(schedule|triggers|alerts|edit|runretention|linkage)|workflows\/edit)\//;

/** Reserves the place of the tabs, so that the page below does not move when they arrive. */
export function TabsPlace({ path }: { path: string }) {
  return (
    <>
      <div className="rs-tabs" />
      {IN_SECOND_ROW.test(path) && <div className="rs-tabs rs-tabs-second" />}
    </>
  );
}
