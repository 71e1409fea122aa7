/** The tabs of activities, checklists, workflows and table views. */
import type { ActivityType } from '#shared/contract/activities.ts';
import { runPath, workflowPath, workflowVersionsPath } from '#renderer/features/checklists/checklist-menu.tsx';
import { t } from '#renderer/language/translate.ts';
import type { ObjectAddress, ObjectKind } from './object-address.ts';

/** What decides which tabs an object has. */
export interface TabbedObject extends ObjectAddress {
  type: ActivityType | null;
  isWorkflow: boolean;
  canRun: boolean;
  canEdit: boolean;
}

/** A page of a tab. */
export interface TabSection {
  text: string;
  path: string;
  /** Addresses of the page and of pages below it, without the id of the object. */
  at: RegExp;
  isOffered: boolean;
}

export interface ObjectTab {
  name: TabName;
  text: string;
  sections: readonly TabSection[];
}

type TabName = 'overview' | 'run' | 'runs' | 'versions' | 'automate' | 'access' | 'tests' | 'settings';

/**
 * Returns the tabs of an object and the current section. A section that is not offered to the user is included while
 * it is shown, because the page itself says why it cannot be used.
 */
export function objectTabs(
  object: TabbedObject,
  path: string,
): { tabs: ObjectTab[]; tab?: ObjectTab | undefined; section?: TabSection | undefined } {
  const isShown = ({ at }: TabSection): boolean => at.test(path);
  const tabs = TABS[object.kind](object)
    .map((tab) => ({ ...tab, sections: tab.sections.filter((one) => one.isOffered || isShown(one)) }))
    .filter(({ sections }) => sections.length > 0);
  const tab = tabs.find(({ sections }) => sections.some(isShown));
  return { tabs, tab, section: tab?.sections.find(isShown) };
}

const TABS: Readonly<Record<ObjectKind, (object: TabbedObject) => ObjectTab[]>> = {
  activity: (object) => [
    tab('overview', t('Overview'), [page('', `/activities/${object.id}/`, /^\/activities\/\d/)]),
    tab('run', t('Run'), [page('', `/activities/run/${object.id}/`, /^\/activities\/run\//, object.canRun)]),
    tab('runs', t('Runs'), [
      page(t('History'), `/activities/runhistory/${object.id}/`, /^\/activities\/(runhistory|follow|runstatus)\//),
      page(t('Batch'), `/activities/batch/${object.id}`, /^\/activities\/batch\//, object.canRun),
    ]),
    tab('versions', t('Versions'), [
      page('', `/activities/versions/${object.id}/`, /^\/activities\/versions\//, object.type === 'Workbook'),
    ]),
    tab('automate', t('Automate'), automation('activities', object)),
    tab('access', t('Access'), [page('', `/activities/access/${object.id}/`, /^\/activities\/access\//)]),
    tab('tests', t('Tests'), [
      page('', `/activities/testbed/${object.id}`, /^\/activities\/testbed\//, object.type === 'Workbook'),
    ]),
    tab('settings', t('Settings'), [
      page(t('General'), `/activities/edit/${object.id}/`, /^\/activities\/(edit|linkage)\//, object.canEdit),
      page(
        t('Retention'),
        `/activities/runretention/edit/${object.id}`,
        /^\/activities\/runretention\//,
        object.canEdit,
      ),
    ]),
  ],
  checklist: (object) => [
    tab('run', t('Run'), [
      page('', runPath(object.id, object.isWorkflow), /^\/(checklists|workflows)\/run\//, object.canRun),
    ]),
    tab('runs', t('Runs'), [
      page(
        '',
        `/checklists/runhistory/${object.id}/`,
        /^\/(checklists\/runhistory|(checklists|workflows)\/runstatus)\//,
      ),
    ]),
    tab('versions', t('Versions'), [
      page('', workflowVersionsPath(object.id), /^\/workflows\/versions\//, object.isWorkflow),
    ]),
    tab('automate', t('Automate'), automation('checklists', object)),
    tab('settings', t('Settings'), checklistSettings(object)),
  ],
  tableView: ({ id, canEdit }) => [
    tab('run', t('Table'), [page('', `/tableviews/run/${id}`, /^\/tableviews\/run\//)]),
    tab('settings', t('Settings'), [page('', `/tableviews/edit/${id}`, /^\/tableviews\/edit\//, canEdit)]),
  ],
};

const tab = (name: TabName, text: string, sections: readonly TabSection[]): ObjectTab => ({ name, text, sections });

const page = (text: string, path: string, at: RegExp, isOffered = true): TabSection => ({ text, path, at, isOffered });

const automation = (of: 'activities' | 'checklists', { id, canEdit }: TabbedObject): TabSection[] => [
  page(t('Daily run'), `/${of}/schedule/edit/${id}`, /\/schedule\/edit\//, canEdit),
  page(t('More schedules'), `/${of}/schedule/further/${id}`, /\/schedule\/further\//, canEdit),
  page(t('Triggers'), `/${of}/triggers/${id}`, /\/triggers\//, canEdit),
  page(t('Alerts'), `/${of}/alerts/${id}`, /\/alerts\//, canEdit),
];

/** A workflow opens with its own editor; as a checklist, it can only be looked at. */
function checklistSettings({ id, isWorkflow, canEdit }: TabbedObject): TabSection[] {
  const general = page(t('General'), `/checklists/edit/${id}/`, /^\/checklists\/edit\//, canEdit);
  const text = isWorkflow ? t('Workflow') : t('Edit as workflow');
  const workflow = page(text, workflowPath(id), /^\/workflows\/edit\//, canEdit);
  const retention = page(t('Retention'), `/checklists/runretention/edit/${id}`, /\/runretention\//, canEdit);
  return isWorkflow ? [workflow, general, retention] : [general, workflow, retention];
}
