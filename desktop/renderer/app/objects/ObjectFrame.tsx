import { Tag } from '@blueprintjs/core';
import { Play } from '@blueprintjs/icons';
import { useMemo, useState, type ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { isPending } from '#shared/contract/run-status.ts';
import { t } from '#renderer/language/translate.ts';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { PageObjectContext } from '#renderer/ui/page-object.ts';
import { PageTabs } from '#renderer/ui/PageTabs.tsx';
import { StatusTag } from '#renderer/ui/StatusTag.tsx';
import { FavouriteButton } from './FavouriteButton.tsx';
import { objectAt, objectTabs } from './object-tabs.ts';
import { useShownObject, type ShownObject } from './use-shown-object.ts';
import './objects.css';

/** Pages whose own title is the name of the object: it stands in the header instead of a second time below it. */
const TITLED = /^\/(activities\/\d+|(activities|checklists|workflows|tableviews)\/run\/.*)\/?$/;

/**
 * The place exists before the header is drawn. A page can therefore draw its title at once, and the focus moves to it.
 */
function createTitlePlace(): HTMLElement {
  const place = document.createElement('div');
  place.className = 'rs-object-title';
  return place;
}

/**
 * The same header and tabs around every page about one activity, checklist, workflow or table view. The pages keep
 * their own titles and menus, which the specification gives.
 */
export function ObjectFrame({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const [place] = useState(createTitlePlace);
  const address = objectAt(pathname);
  const query = useShownObject(address);
  const object = query.data ?? undefined;
  const isTitled = address !== null && TITLED.test(pathname);
  const name = object?.name ?? '';
  const slot = isTitled ? place : undefined;
  const shown = useMemo(() => ({ name, slot }), [name, slot]);
  return (
    <>
      {address && (
        <div className="rs-object">
          <div className="rs-object-head">
            {isTitled ? <div ref={(box) => box?.append(place)} /> : <span className="rs-object-name">{name}</span>}
            {object && <Facts object={object} />}
            <span className="rs-object-action">
              {object?.form != null && !object.form.startsWith(formOf(pathname)) && (
                <LinkButton to={object.form} intent="primary" icon={<Play />} text={t('Run Now')} />
              )}
            </span>
          </div>
          <FetchFailure query={query} text={t('The tabs of this page could not be loaded.')} />
          <Tabs object={object} path={pathname} />
        </div>
      )}
      <PageObjectContext value={shown}>{children}</PageObjectContext>
    </>
  );
}

/** Returns the path of the form that is shown at a path; for others something that no form begins with. */
const formOf = (path: string): string => /^\/\w+\/run\/\d+/.exec(path)?.[0] ?? '-';

/** A run that is pending is not shown: the list that is the source does not follow it. */
function Facts({ object }: { object: ShownObject }) {
  const { kind, schema, isWorkflow, isActive, lastRun } = object;
  return (
    <span className="rs-object-facts">
      {kind !== 'tableView' && <FavouriteButton object={object} />}
      {schema !== '' && <Tag minimal>{schema}</Tag>}
      {kind === 'checklist' && <Tag minimal>{isWorkflow ? t('Workflow') : t('Checklist')}</Tag>}
      {!isActive && (
        <Tag minimal intent="warning">
          {t('Not active')}
        </Tag>
      )}
      {lastRun && !isPending(lastRun.status) && (
        <Link to={lastRun.path} title={t('View Last Run')}>
          <StatusTag status={lastRun.status} />
        </Link>
      )}
    </span>
  );
}

/** The tabs, and below them the pages of a tab that has several. Their place is reserved while they are unknown. */
function Tabs({ object, path }: { object: ShownObject | undefined; path: string }) {
  if (!object) return <div className="rs-tabs" />;
  const { tabs, tab, section } = objectTabs(object, path);
  return (
    <>
      <PageTabs
        label={object.name}
        tabs={tabs.map(({ name, text, sections }) => ({
          text,
          to: sections[0]?.path ?? path,
          current: name !== tab?.name ? undefined : section === sections[0] ? 'page' : 'true',
        }))}
      />
      {tab && tab.sections.length > 1 && (
        <PageTabs
          isSecond
          label={tab.text}
          tabs={tab.sections.map((one) => ({
            text: one.text,
            to: one.path,
            current: one === section ? 'page' : undefined,
          }))}
        />
      )}
    </>
  );
}
