import { Tag } from '@blueprintjs/core';
import { Link } from 'react-router-dom';
import type { ActivityHome, HomeParameter, LinkedNeighbour } from '#shared/contract/activity-home.ts';
import { downloadSampleFile } from '#shared/contract/forms.ts';
import { runPath } from '#renderer/features/checklists/checklist-menu.tsx';
import { startDownload } from '#renderer/ui/downloads.ts';
import { OWN_FORM } from '#renderer/features/run-form/form-origin.ts';
import { sampleToken } from '#renderer/features/run-form/form-calls.ts';
import { ScheduleCard } from '#renderer/features/schedules/ScheduleCards.tsx';
import { t } from '#renderer/language/translate.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Card } from '#renderer/ui/Page.tsx';

/**
 * When the activity runs automatically. Renders nothing if the user may not see schedules or the activity cannot be
 * scheduled.
 */
export function NextRunCard({ home }: { home: ActivityHome }) {
  const { Id, Schedule, Further, CanEdit, CanSchedule } = home;
  if (Further === null || (Schedule === null && Further.Count === 0 && !CanSchedule)) return null;
  const daily = Schedule ?? { Schedule: null, NextTime: null, PausedTime: null, TimeZone: '', UserFullName: null };
  const canEditDaily = CanEdit && (CanSchedule || Schedule !== null);
  return (
    <ScheduleCard
      details={{ ...daily, Further }}
      path={canEditDaily ? `/activities/schedule/edit/${Id}` : null}
      {...(CanEdit && { additionalPath: `/activities/schedule/further/${Id}` })}
    />
  );
}

/** Where its outputs go and where its inputs come from. */
export function LinkedCard({ home }: { home: ActivityHome }) {
  const { Id, LinksTo, LinksFrom, CanEdit } = home;
  if (LinksTo.length + LinksFrom.length === 0 && !CanEdit) return null;
  return (
    <Card title={t('Linkages')}>
      {LinksTo.length + LinksFrom.length === 0 && (
        <p className="rs-muted">{t('No linkages to or from this activity.')}</p>
      )}
      <Neighbours title={t('Its outputs go to')} links={LinksTo} />
      <Neighbours title={t('Its inputs come from')} links={LinksFrom} />
      {CanEdit && <LinkButton to={`/activities/linkage/new/${Id}`} text={t('Add')} aria-label={t('Add a linkage')} />}
    </Card>
  );
}

function Neighbours({ title, links }: { title: string; links: readonly LinkedNeighbour[] }) {
  if (links.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul className="rs-plain-list rs-home-list">
        {links.map(({ Id, Name, ActivityId, ActivityName }) => (
          <li key={Id}>
            <Link to={`/activities/${ActivityId}/`}>{ActivityName}</Link> <span className="rs-muted">{Name}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The checklists and workflows that use it. */
export function UsedByCard({ home }: { home: ActivityHome }) {
  if (home.Checklists.length === 0) return null;
  return (
    <Card title={t('Used by')}>
      <ul className="rs-plain-list rs-home-list">
        {home.Checklists.map(({ Id, Name, IsWorkflow, CanRun }) => (
          <li key={Id}>
            <Link to={CanRun ? runPath(Id, IsWorkflow) : `/checklists/runhistory/${Id}/`}>{Name}</Link>{' '}
            <Tag minimal>{IsWorkflow ? t('Workflow') : t('Checklist')}</Tag>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The inputs and outputs of the activity. */
export function ParametersCard({ home }: { home: ActivityHome }) {
  const asked = home.Inputs.filter(({ HasPresetValue }) => !HasPresetValue);
  return (
    <Card title={t('Inputs and outputs')}>
      <Parameters
        title={t('Inputs')}
        activityId={home.Id}
        parameters={asked}
        none={t('It has no inputs.')}
        canDownload={home.CanRun}
      />
      <Parameters
        title={t('Outputs')}
        activityId={home.Id}
        parameters={home.Outputs}
        none={t('It has no outputs.')}
        canDownload={false}
      />
    </Card>
  );
}

interface ParametersProps {
  title: string;
  activityId: number;
  parameters: readonly HomeParameter[];
  none: string;
  /** True if the user may download sample files. */
  canDownload: boolean;
}

function Parameters({ title, activityId, parameters, none, canDownload }: ParametersProps) {
  return (
    <>
      <h3>{title}</h3>
      {parameters.length === 0 && <p className="rs-muted">{none}</p>}
      <ul className="rs-plain-list rs-home-list">
        {parameters.map(({ Id, Name, Description, SampleFile, CanFollow }) => (
          <li key={Id}>
            {Name} {Description !== '' && <span className="rs-muted">{Description}</span>}
            {CanFollow && (
              <>
                {' '}
                <Link
                  to={`/activities/follow/${activityId}/${Id}`}
                  className="rs-home-follow"
                  aria-label={t('Follow {name} over all runs', { name: Name })}
                >
                  {t('Follow')}
                </Link>
              </>
            )}
            {SampleFile !== null && canDownload && (
              <>
                {' '}
                <button
                  type="button"
                  className="rs-text-button"
                  onClick={() => void startDownload(sampleToken(OWN_FORM, Id), downloadSampleFile)}
                >
                  {t('Sample file: {sampleFile}', { sampleFile: SampleFile })}
                </button>
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
