/** Makes the calls of a page fail, and finds the failures that the page does not report. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Page, Request, Route } from 'playwright-core';

export interface CallingPage {
  path: string;
  /** Opens a part of the page that makes its own calls. */
  open?: (page: Page) => Promise<unknown>;
  /** Calls that the page can do without, each with its purpose. */
  quiet?: Readonly<Record<string, string>>;
}

/** Calls whose failure nobody notices, or that are repeated before anyone could. */
const SILENT: Record<string, string> = {
  '/api/events': 'What it tells is asked for each second where it tells nothing.',
  '/api/users/draftkey': 'What is typed is then kept in no draft.',
  '/api/activities/marks': 'The welcome of newcomers; the table says it.',
  '/api/tableviews/sample': 'Values shown beside the columns of a table.',
  '/api/maintenance': 'Who starts something meanwhile is told then.',
  '/api/approvals/count': 'A number in the menu, asked for again and again.',
  '/api/activities/notifications': 'The bell, which says it once it is opened.',
  '/api/renewtoken': 'The session, which has its own words.',
  '/api/sso/config': 'The sign-in.',
};

/** Calls of the frame around each page, which come before all others. */
const OF_FRAME = /^(POST \/api\/users\/profile|GET \/api\/plugins)$/;

const pathOf = (request: Request): string => new URL(request.url()).pathname;
const nameOf = (request: Request): string => `${request.method()} ${pathOf(request)}`;
const reasonOf = (call: string): string => `No answer to ${call} to be had.`;
const ANY_REASON = /No answer to .* to be had\./;

/** Milliseconds without any request after which the page counts as settled. */
const QUIET = 250;
const SETTLE_TIMEOUT_MS = 15_000;
/** Maximum number of rounds for a page whose calls depend on each other. */
const MAX_ROUNDS = 8;

/** Tracks the pending calls. */
function watchCalls(page: Page): { made: Set<string>; settled(): Promise<void>; stop(): void } {
  const made = new Set<string>();
  const open = new Set<Request>();
  let last = Date.now();
  const isWatched = (request: Request): boolean =>
    /\/api\/|\.js$/.test(pathOf(request)) && !(pathOf(request) in SILENT);
  const onRequest = (request: Request): void => {
    if (!isWatched(request)) return;
    if (pathOf(request).startsWith('/api/')) made.add(nameOf(request));
    open.add(request);
    last = Date.now();
  };
  const onEnd = (request: Request): void => {
    if (open.delete(request)) last = Date.now();
  };
  page.on('request', onRequest).on('requestfinished', onEnd).on('requestfailed', onEnd);
  return {
    made,
    settled: async () => {
      const end = Date.now() + SETTLE_TIMEOUT_MS;
      while ((open.size > 0 || Date.now() - last < QUIET) && Date.now() < end) await wait(50);
    },
    stop: () => void page.off('request', onRequest).off('requestfinished', onEnd).off('requestfailed', onEnd),
  };
}

const API = /\/api\//;

async function visit(page: Page, address: string, { path, open }: CallingPage, answer: (route: Route) => unknown) {
  // Discard pending requests of the previous page.
  await page.goto('about:blank');
  await page.route(API, (route) => void answer(route));
  const calls = watchCalls(page);
  await page.goto(address + path);
  await page.locator('main h1').first().waitFor({ state: 'attached' });
  await calls.settled();
  // If the part could not be opened because its own calls fail, those must be handled first.
  const isOpened = open
    ? await open(page).then(
        () => true,
        () => false,
      )
    : true;
  if (open && isOpened) await calls.settled();
  return { calls, isOpened };
}

/** Returns the visible empty states, which are wrong as long as the data is unknown. */
const emptyStates = (page: Page): Promise<string[]> =>
  page.locator('.rs-empty:not([role=alert])').filter({ visible: true }).allInnerTexts();

export interface FailingCallsOptions {
  /** True if the calls of the frame around the page fail too. */
  hasFrame: boolean;
  /** True if each failed call must be reported; false if it is enough to report one of them. */
  isEach: boolean;
}

/**
 * Makes calls of a page fail with a server error, each with its own reason. First all of them fail. If each must be
 * reported, only the unreported ones fail in further rounds, as long as there are new ones. Returns the problems, such
 * as failures that were never reported.
 */
export async function silentFailures(
  page: Page,
  address: string,
  shown: CallingPage,
  { hasFrame, isEach }: FailingCallsOptions,
): Promise<string[]> {
  const reported = new Set<string>();
  const unreported = new Set<string>();
  const problems: string[] = [];
  let wasOpened = false;
  const isLetThrough = (call: string): boolean => reported.has(call) || (!hasFrame && OF_FRAME.test(call));
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const { calls, isOpened } = await visit(page, address, shown, (route) => {
      const call = nameOf(route.request());
      return pathOf(route.request()) in SILENT || isLetThrough(call)
        ? route.continue()
        : route.fulfill({ status: 500, json: { message: reasonOf(call) } });
    });
    wasOpened ||= isOpened;
    unreported.clear();
    const failed = [...calls.made].filter((call) => !isLetThrough(call));
    // A busy machine draws the first failure late. The others are there soon after it.
    if (round === 1 && failed.length > 0) await isSaid(page, ANY_REASON, SETTLE_TIMEOUT_MS);
    let found = 0;
    for (const call of failed) {
      if (await isSaid(page, reasonOf(call))) {
        reported.add(call);
        found += 1;
      } else unreported.add(call);
    }
    if (round === 1 && (await page.locator('main h1').first().innerText()) === '') problems.push('it has no heading');
    if (round === 1)
      problems.push(...(await emptyStates(page)).map((text) => `nothing is known, and it says: ${text}`));
    calls.stop();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    if (!isEach || (found === 0 && (unreported.size === 0 || round > 1))) break;
  }
  const missed = !isEach && reported.size > 0 ? [] : [...unreported].filter((call) => !(call in (shown.quiet ?? {})));
  if (!wasOpened && isEach) problems.push('what is to be opened was never there');
  return [...problems, ...missed.map((call) => `nothing is said of ${call}`)];
}

/** Milliseconds that an opened part may take to be drawn. */
const DRAWN = 600;

const isSaid = (page: Page, reason: string | RegExp, timeout = DRAWN): Promise<boolean> =>
  page
    .getByText(reason)
    .filter({ visible: true })
    .first()
    .waitFor({ timeout })
    .then(
      () => true,
      () => false,
    );

/**
 * Cuts the network once the frame of the page is loaded. Returns the problems: nothing reports it, or the page claims
 * that there is no data.
 */
export async function unsaidAbsence(page: Page, address: string, shown: CallingPage): Promise<string[]> {
  const { calls } = await visit(page, address, { path: shown.path }, (route) =>
    /\/api\/users\/profile$|\/api\/sso\/config$/.test(pathOf(route.request())) ? route.continue() : route.abort(),
  );
  const hasCalls = calls.made.size > 1;
  const failure = page
    .locator('main')
    .getByRole('alert')
    .filter({ has: page.getByRole('button', { name: 'Retry' }) });
  const isSaid =
    !hasCalls ||
    (await failure
      .first()
      .waitFor({ timeout: 10_000 })
      .then(
        () => true,
        () => false,
      ));
  const problems = (await emptyStates(page)).map((text) => `the network is gone, and it says: ${text}`);
  calls.stop();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  return isSaid ? problems : [...problems, 'the network is gone, and nothing says so and offers another try'];
}
