import { useEffect, useState } from 'react';
import { t } from '#renderer/language/translate.ts';
import { longTextIssue } from '#renderer/ui/long-text.ts';
import { ActivityChoice } from './ActivityChoice.tsx';
import { has, office, openInBrowser } from './office.ts';
import { Button, Labelled, Note, Problem } from './parts.tsx';
import {
  check,
  findDestinations,
  publish,
  refusedFor,
  withPublished,
  type Findings,
  type PublishDestinations,
  type Published,
  type Target,
} from './publishing.ts';
import { Report } from './Report.tsx';
import { portalAddress } from './session.ts';
import { useTask } from './use-task.ts';
import { workbookName } from './workbook.ts';

/** Maximum length of an activity's name. */
const NAME = 30;
/** Maximum length of the change description. */
const CHANGE = 1000;

const ownName = (): string => workbookName(office().context.document.url ?? '').replace(/\.xls[xm]$/i, '');

/** State and actions of the tab. */
function usePublishing() {
  const [destinations, setDestinations] = useState<PublishDestinations | null>(null);
  const [target, setTarget] = useState<Target>(() => ({
    Id: 0,
    Name: ownName().slice(0, NAME),
    Schema: '',
    ChangeDescription: '',
    AcceptUnsupported: [],
  }));
  const [findings, setFindings] = useState<Findings | null>(null);
  const [published, setPublished] = useState<Published | null>(null);
  const loading = useTask();
  const work = useTask();
  const change = (part: Partial<Target>): void => setTarget((now) => ({ ...now, ...part }));

  const load = (): void =>
    void loading.run(async () => {
      const found = await findDestinations();
      setDestinations(found);
      // Preselects the activity with the name of the workbook. Without one, and if the user may not create activities,
      // it preselects the first.
      const own = found.activities.find(({ Name }) => Name.toLowerCase() === ownName().toLowerCase());
      const [first] = found.schemas.length > 0 ? [] : found.activities;
      change({ Id: (own ?? first)?.Id ?? 0, Schema: found.schemas[0] ?? '' });
    });
  const choose = (Id: number): void => {
    change({ Id, AcceptUnsupported: [] });
    setFindings(null);
    setPublished(null);
  };
  const send = async (action: 'check' | 'publish'): Promise<void> => {
    setPublished(null);
    setFindings(null);
    if (action === 'check') return setFindings(await check(target));
    const done = await publish(target);
    setPublished(done);
    setFindings(done.findings);
    // The publication succeeded whatever the list call returns; the next one creates a version of the same activity.
    const found = await findDestinations().catch(() => null);
    setDestinations((now) => found ?? withPublished(now, { ...target, Id: done.Id }));
    change({ Id: done.Id, AcceptUnsupported: [], ChangeDescription: '' });
  };
  const begin = (action: 'check' | 'publish'): void => {
    if (action === 'publish' && target.Id !== 0 && target.ChangeDescription.trim() === '')
      return work.setProblem(t('Describe what is new in this version.'));
    void work.run(
      () => send(action),
      (error) => {
        const refused = refusedFor(error);
        if (refused) setFindings(refused);
        return false;
      },
    );
  };
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- once
  useEffect(load, []);
  return { places: destinations, target, findings, published, loading, work, change, load, choose, begin };
}

/** Publishes the open workbook as a version of an activity. */
export function PublishTab() {
  const publishing = usePublishing();
  const { places, loading, load } = publishing;
  if (!has('file')) {
    return (
      <div className="rs-pane-body">
        <Note tone="warning">
          {t(
            'This version of Excel does not let add-ins read the open workbook (requirement set {set} is missing). Upload the workbook in the portal instead.',
            {
              set: 'CompressedFile 1.1',
            },
          )}
        </Note>
      </div>
    );
  }
  if (places === null) {
    return (
      <div className="rs-pane-body">
        <Problem text={loading.problem} />
        {loading.problem === '' ? <Note>{t('Loading…')}</Note> : <Button onClick={load}>{t('Retry')}</Button>}
      </div>
    );
  }
  if (places.activities.length === 0 && places.schemas.length === 0) {
    return (
      <div className="rs-pane-body">
        <Note>{t('There is no activity that you may change, and you may not create any.')}</Note>
      </div>
    );
  }
  return <PublishForm {...publishing} destinations={places} />;
}

type PublishFormProps = Omit<ReturnType<typeof usePublishing>, 'places'> & { destinations: PublishDestinations };

function PublishForm({ destinations, target, findings, published, work, change, choose, begin }: PublishFormProps) {
  const { Id, Name, Schema, ChangeDescription, AcceptUnsupported } = target;
  const isNew = Id === 0;
  const longName = isNew ? longTextIssue(Name, NAME) : null;
  const longChange = longTextIssue(ChangeDescription, CHANGE);
  const fits = longName === null && longChange === null;
  const canSend = !work.isBusy && fits && (!isNew || (Name.trim() !== '' && Schema !== ''));
  const accept = (name: string): void =>
    change({
      AcceptUnsupported: AcceptUnsupported.includes(name)
        ? AcceptUnsupported.filter((one) => one !== name)
        : [...AcceptUnsupported, name],
    });
  return (
    <div className="rs-pane-body">
      <ActivityChoice
        label={t('Publish as')}
        id="rs-target"
        activities={destinations.activities}
        chosen={Id}
        first={destinations.schemas.length > 0 ? t('A new activity') : t('Choose an activity')}
        choose={choose}
        disabled={work.isBusy}
      />
      {isNew && destinations.schemas.length > 0 && (
        <>
          <Labelled label={t('Activity Name')} id="rs-name" hint={longName ?? undefined}>
            <input
              id="rs-name"
              value={Name}
              aria-invalid={longName !== null}
              onChange={(e) => change({ Name: e.target.value })}
            />
          </Labelled>
          <Labelled label={t('Schema')} id="rs-schema">
            <select id="rs-schema" value={Schema} onChange={(event) => change({ Schema: event.target.value })}>
              {destinations.schemas.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </Labelled>
        </>
      )}
      <Labelled label={t('What is new')} id="rs-change" hint={longChange ?? undefined}>
        <input
          id="rs-change"
          value={ChangeDescription}
          aria-invalid={longChange !== null}
          onChange={(event) => change({ ChangeDescription: event.target.value })}
        />
      </Labelled>
      <div className="rs-pane-actions">
        <Button variant="primary" disabled={!canSend} onClick={() => begin('publish')}>
          {isNew ? t('Publish') : t('Publish new version')}
        </Button>
        <Button disabled={!canSend} onClick={() => begin('check')}>
          {t('Check only')}
        </Button>
      </div>
      {work.isBusy && <Note>{t('Sending and calculating the workbook…')}</Note>}
      <Problem text={work.problem} />
      {published && (
        <Note tone="success">
          <span>{t('Published as version {version}.', { version: published.Version })} </span>
          <Button variant="link" onClick={() => openInBrowser(`${portalAddress}activities/${published.Id}`)}>
            {t('Open in the portal')}
          </Button>
        </Note>
      )}
      {findings && <Report findings={findings} accepted={AcceptUnsupported} accept={accept} />}
    </div>
  );
}
