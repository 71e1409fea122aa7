import { Tag } from '@blueprintjs/core';
import { Play } from '@blueprintjs/icons';
import { useEffect, useEffectEvent } from 'react';
import { Link } from 'react-router-dom';
import { isPending } from '#shared/contract/run-status.ts';
import { t } from '#renderer/language/translate.ts';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { PageTabs } from '#renderer/ui/PageTabs.tsx';
import { StatusTag } from '#renderer/ui/StatusTag.tsx';
import { FavouriteButton } from './FavouriteButton.tsx';
import type { ObjectAddress } from './object-address.ts';
import { objectTabs } from './object-tabs.ts';
import { TabsPlace } from './TabsPlace.tsx';
import { useShownObject, type ShownObject } from './use-shown-object.ts';

export interface ObjectPartsProps {
  address: ObjectAddress;
  path: string;
  /** Called with the name of the object once it is known. */
  onName: (name: string) => void;
}

/** What the header says of the object, its primary action and the tabs. */
export function ObjectParts({ address, path, onName }: ObjectPartsProps) {
  const query = useShownObject(address);
  const object = query.data ?? undefined;
  const name = object?.name;
  const sayName = useEffectEvent(onName);
  useEffect(() => {
    if (name !== undefined) sayName(name);
  }, [name]);
  return (
    <>
      <span className="rs-object-facts">
        {object && <Facts object={object} isOfRun={/\/runstatus\//.test(path)} />}
      </span>
      {object?.form != null && !object.form.startsWith(formOf(path)) && (
        <span className="rs-object-action">
          <LinkButton to={object.form} intent="primary" icon={<Play />} text={t('Run Now')} />
        </span>
      )}
      <FetchFailure query={query} text={t('The tabs of this page could not be loaded.')} />
      <Tabs object={object} path={path} />
    </>
  );
}

/** Returns the path of the form that is shown at a path; for others something that no form begins with. */
const formOf = (path: string): string => /^\/\w+\/run\/\d+/.exec(path)?.[0] ?? '-';

/**
 * A last run that is pending is not shown: the list that is the source does not follow it.
 * @param isOfRun true on the page of a run, whose own outcome must not be confused with that of the last run
 */
function Facts({ object, isOfRun }: { object: ShownObject; isOfRun: boolean }) {
  const { kind, schema, isWorkflow, isActive, lastRun } = object;
  return (
    <>
      {kind !== 'tableView' && <FavouriteButton object={object} />}
      {schema !== '' && <Tag minimal>{schema}</Tag>}
      {kind === 'checklist' && <Tag minimal>{isWorkflow ? t('Workflow') : t('Checklist')}</Tag>}
      {!isActive && (
        <Tag minimal intent="warning">
          {t('Not active')}
        </Tag>
      )}
      {lastRun && !isOfRun && !isPending(lastRun.status) && (
        <Link to={lastRun.path} title={t('View Last Run')}>
          <StatusTag status={lastRun.status} />
        </Link>
      )}
    </>
  );
}

/** The tabs, and below them the pages of a tab that has several. Their place is reserved while they are unknown. */
function Tabs({ object, path }: { object: ShownObject | undefined; path: string }) {
  if (!object) return <TabsPlace path={path} />;
  const { tabs, tab, section } = objectTabs(object, path);
  const current = section && path.startsWith(section.path.replace(/\/$/, '')) ? 'page' : 'true';
  return (
    <>
      <PageTabs
        label={object.name}
        tabs={tabs.map(({ name, text, sections }) => ({
          text,
          to: sections[0]?.path ?? path,
          current: name !== tab?.name ? undefined : section === sections[0] ? current : 'true',
        }))}
      />
      {tab && tab.sections.length > 1 && (
        <PageTabs
          isSecond
          label={tab.text}
          tabs={tab.sections.map((one) => ({
            text: one.text,
            to: one.path,
            current: one === section ? current : undefined,
          }))}
        />
      )}
    </>
  );
}
