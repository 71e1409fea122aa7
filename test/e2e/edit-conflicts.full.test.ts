/** Each form of something that several people edit shows what somebody else has saved, and overwrites it on purpose. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectGoodScreen } from './support/good-screen.ts';
import { firstSignIn, openBrowser, startPortal, visit, type Browser, type Portal } from './support/portal.ts';
import { tokenOf } from './support/publish.ts';

/** Activity Loan schedule of the samples. */
const ACTIVITY = 1;
const OTHER = 2;

let portal: Portal;
let browser: Browser;
let token: string;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal(), openBrowser()]);
  await firstSignIn(browser.page, portal, 'Newcomer-Pass-1');
  token = await tokenOf(browser.page);
});
afterAll(async () => {
  await browser.close();
  await portal.stop();
});

interface Body {
  [field: string]: unknown;
}

async function send(path: string, body: Body): Promise<number> {
  const answer = await fetch(new URL(`api/${path}`, portal.address), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { result, message } = (await answer.json()) as {
    result: { Id?: number; Trigger?: { Id: number } } | null;
    message?: string;
  };
  expect([answer.status, message]).toEqual([200, undefined]);
  return result?.Id ?? result?.Trigger?.Id ?? 0;
}

/** A form, how it is opened, changed and saved, and the call by which it saves. */
interface Form {
  /** Returns the path of its page. */
  create: () => Promise<string>;
  open?: (page: Page) => Promise<void>;
  change: (page: Page, text: string) => Promise<void>;
  read: (page: Page) => Promise<string>;
  save: (page: Page) => Promise<void>;
  call: string;
  /** Message after the save. */
  done: string;
  /** What somebody else saves. */
  theirs: Body;
  /** What is typed, and what the field then shows of the other version, if it takes only numbers. */
  numbers?: [mine: string, theirs: string];
  /** Answers what the form asks before it overwrites. */
  confirm?: (page: Page) => Promise<void>;
}

const clicks =
  (name: string) =>
  async (page: Page): Promise<void> =>
    page.getByRole('button', { name, exact: true }).click();
const labelled = (page: Page, label: string) =>
  page
    .locator('form')
    .getByLabel(new RegExp(`^${label}`))
    .first();
const field = (label: string): Pick<Form, 'change' | 'read'> => ({
  change: (page, text) => labelled(page, label).fill(text),
  read: (page) => labelled(page, label).inputValue(),
});
const submits = clicks('Submit');

const RECEIVERS = { Roles: [], UserIds: [1], ByBell: true, ByMail: false };
const NOBODY = { ...RECEIVERS, UserIds: [] };
const CONDITION = { Kind: 'Outcome', Statuses: ['Failed'] };
const WEBHOOK = {
  Url: 'https://hook.example/',
  OnRunEnded: true,
  OnVersionPublished: false,
  OnApprovalAsked: false,
  IsActive: true,
  ActivityIds: [],
};

const daily = (RetryCount: number): string =>
  JSON.stringify({ ScheduleType: 'Daily', TimeOfDay: 0.25, RetryCount, RetryInterval: 3 });

const FORMS: Record<string, Form> = {
  alert: {
    create: async () => {
      const alert = { Id: null, IsActive: true, EscalateMinutes: null, Webhooks: [], Condition: CONDITION };
      const people = { Receivers: RECEIVERS, NextReceivers: NOBODY };
      await send('activities/alerts/save', { ActivityId: ACTIVITY, Name: 'Ended', ...alert, ...people });
      return `activities/alerts/${ACTIVITY}`;
    },
    open: clicks('Edit Ended'),
    ...field('Name'),
    save: clicks('Save'),
    call: 'activities/alerts/save',
    done: 'Alert saved',
    theirs: { Name: 'Theirs' },
  },
  'alert-rule': {
    create: async () => {
      const rule = { Id: null, IsActive: true, Scope: 'All', ScopeValue: '', Condition: CONDITION, Webhooks: [] };
      await send('alerts/rules/save', { Name: 'All ended', ...rule, Receivers: RECEIVERS });
      return 'alerts';
    },
    open: clicks('Edit All ended'),
    ...field('Name'),
    save: clicks('Save'),
    call: 'alerts/rules/save',
    done: 'Alert rule saved',
    theirs: { Name: 'Theirs' },
  },
  trigger: {
    create: async () => {
      const rest = { Inputs: [], TimeZone: 'Europe/Berlin', Overlap: 'Start' };
      const Plan = { Kind: 'Webhook', Scheme: 'Standard' };
      await send('activities/triggers', { Id: 0, OwnerId: ACTIVITY, Name: 'Called', Plan, ...rest });
      return `activities/triggers/${ACTIVITY}`;
    },
    open: clicks('Edit Called'),
    ...field('Name'),
    save: clicks('Update'),
    call: 'activities/triggers',
    done: 'Trigger saved',
    theirs: { Name: 'Theirs' },
  },
  webhook: {
    create: async () => `webhooks/${await send('admin/webhooks/create', { Name: 'Hook', ...WEBHOOK })}`,
    ...field('Name'),
    save: clicks('Update'),
    call: 'admin/webhooks/update',
    done: 'Webhook updated',
    theirs: { Name: 'Theirs' },
  },
  right: {
    create: async () => {
      await send('rights/create', { Name: 'ApproveBudgets', Description: 'New' });
      return 'rights/edit/ApproveBudgets/';
    },
    ...field('Description'),
    save: clicks('Update right'),
    call: 'rights/update',
    done: 'Right updated',
    theirs: { Description: 'Theirs' },
  },
  linkage: {
    create: async () => {
      const link = { Id: 0, ActivityId: ACTIVITY, LinkedActivityId: OTHER, LinkInfo: '[]', Name: 'Next' };
      return `activities/linkage/edit/${await send('activities/writelink', link)}`;
    },
    ...field('Name'),
    save: async (page) => {
      await clicks('SAVE')(page);
      await submits(page);
    },
    confirm: submits,
    call: 'activities/writelink',
    done: 'Saved',
    theirs: { Name: 'Theirs' },
  },
  queue: {
    create: async () => `activities/edit/${ACTIVITY}/`,
    ...field('Concurrent runs'),
    save: (page) => page.getByRole('form', { name: 'Queue' }).getByRole('button', { name: 'Save' }).click(),
    call: `activities/queueing/${ACTIVITY}`,
    done: 'The queue settings were saved',
    theirs: { RunsAtOnce: 77 },
    numbers: ['5', '77'],
  },
  'test-bed': {
    create: async () => {
      const Checks = [{ Name: 'Sum', Expression: '1 = 1', Tolerance: 0 }];
      await send('activities/testbed', { ActivityId: ACTIVITY, MustPass: false, Checks });
      return `activities/testbed/${ACTIVITY}`;
    },
    change: (page, text) => page.getByRole('group', { name: 'Property check 1' }).getByLabel('Name').fill(text),
    read: (page) => page.getByRole('group', { name: 'Property check 1' }).getByLabel('Name').inputValue(),
    save: clicks('Save rules'),
    call: 'activities/testbed',
    done: 'Saved',
    theirs: { Checks: [{ Name: 'Theirs', Expression: '1 = 1', Tolerance: 0 }] },
  },
  'test-case': {
    create: async () => {
      const test = {
        Status: 'Succeeded',
        Inputs: [],
        Expected: [{ Name: 'Total Interest', Value: '1', Tolerance: 0, RelativeTolerance: 0 }],
      };
      const id = await send('activities/testcase', { ActivityId: ACTIVITY, Id: null, Name: 'New', ...test });
      return `activities/testbed/${ACTIVITY}/case/${id}`;
    },
    ...field('Name'),
    save: clicks('Save test case'),
    call: 'activities/testcase',
    done: 'Test case saved',
    theirs: { Name: 'Theirs' },
  },
  'daily-schedule': {
    create: async () => {
      // A page that shows the schedule was open before somebody made it.
      await browser.page.goto(new URL(`activities/edit/${ACTIVITY}/`, portal.address).href);
      await browser.page.getByText('No schedule starts it.').waitFor();
      await send('activities/schedule', { ActivityId: ACTIVITY, UserId: 1, Schedule: daily(1) });
      return `activities/schedule/edit/${ACTIVITY}`;
    },
    ...field('Retry Attempts'),
    save: clicks('Update'),
    call: 'activities/schedule',
    done: 'Schedule updated',
    theirs: { Schedule: daily(7) },
    numbers: ['5', '7'],
  },
  calendar: {
    create: async () => {
      await send('holidayCalendars', { Id: 0, Name: 'Germany', Weekend: [6, 7], Days: [] });
      return 'holidayCalendars';
    },
    open: clicks('Edit Germany'),
    ...field('Name'),
    save: clicks('Update'),
    call: 'holidayCalendars',
    done: 'Calendar saved',
    theirs: { Name: 'Theirs' },
  },
  checklist: {
    create: async () => {
      const checklist = { Id: 0, Schema: 'General', Name: 'Close', Activities: [{ Id: ACTIVITY }], Inputs: null };
      return `checklists/edit/${await send('checklists/create', checklist)}`;
    },
    ...field('Description'),
    save: clicks('Update checklist'),
    call: 'checklists/create',
    done: 'Checklist updated',
    theirs: { Description: 'Theirs', Inputs: null },
  },
};

/** Lets somebody else save the same thing just before the page does. */
async function overtake(page: Page, { call, theirs }: Form): Promise<void> {
  let isOvertaken = false;
  await page.route(`**/api/${call}`, async (route) => {
    if (!isOvertaken && route.request().method() === 'POST') {
      isOvertaken = true;
      const body = route.request().postDataJSON() as Body;
      const answer = await route.fetch({ postData: JSON.stringify({ ...body, ...theirs }) });
      expect(answer.status(), await answer.text()).toBe(200);
    }
    await route.continue();
  });
}

test.each(Object.entries(FORMS))(
  'the form of the %s shows what somebody else has saved, and overwrites it',
  async (name, form) => {
    const { page } = browser;
    await visit(page, new URL(await form.create(), portal.address).href);
    await form.open?.(page);
    const [mine, theirs] = form.numbers ?? ['Mine', 'Theirs'];
    await form.change(page, mine);
    await overtake(page, form);
    await form.save(page);
    const conflict = page.getByRole('alert').filter({ hasText: 'changed this on' });
    await conflict.waitFor();
    expect(await form.read(page)).toBe(mine);
    await conflict.getByRole('button', { name: 'Show theirs' }).click();
    expect(await form.read(page)).toBe(theirs);
    await expectGoodScreen(browser, `conflict-${name}`, { isWholePage: true });
    await conflict.getByRole('button', { name: 'Show mine' }).click();
    expect(await form.read(page)).toBe(mine);
    await conflict.getByRole('button', { name: 'Overwrite with mine' }).click();
    await form.confirm?.(page);
    await page.getByText(form.done, { exact: true }).first().waitFor();
    await conflict.waitFor({ state: 'detached' });
    await page.unrouteAll({ behavior: 'wait' });
  },
);
