import { Equals, NotEqualTo } from '@blueprintjs/icons';
import { Link } from 'react-router-dom';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { t } from '#renderer/language/translate.ts';
import { durationOf } from '#renderer/features/runs/history/duration-plot.ts';
import { formatDayTime, formatDuration } from '#renderer/ui/format-date.ts';
import { StatusTag } from '#renderer/ui/StatusTag.tsx';
import { changeText, type ComparedValue } from './compare-runs.ts';

interface ComparedTableProps {
  runs: readonly ActivityRun[];
  inputs: ComparedValue[];
  outputs: ComparedValue[];
  onlyDifferences: boolean;
}

/** Compares runs, one column per run. Differences are marked by a word and a sign. */
export function ComparedTable({ runs, inputs, outputs, onlyDifferences }: ComparedTableProps) {
  const durations = runs.map(durationOf);
  const [first = null] = durations;
  const durationChanges = durations.map((duration) =>
    duration === null || first === null ? '' : changeText(first, duration, formatDuration),
  );
  return (
    <div className="rs-compare-scroll">
      <table className="rs-compare">
        <thead>
          <tr>
            <th scope="col">
              <span className="rs-visually-hidden">{t('What is compared')}</span>
            </th>
            {runs.map((run) => (
              <RunHead key={run.Id} run={run} />
            ))}
            <th scope="col">{t('Comparison')}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{t('Status')}</th>
            {runs.map(({ Id, Status }) => (
              <td key={Id}>
                <StatusTag status={Status} />
              </td>
            ))}
            <Mark differs={runs.some(({ Status }) => Status !== runs[0]!.Status)} />
          </tr>
          <Fact name={t('Run By')} texts={runs.map(({ UserFullName }) => UserFullName)} />
          <Fact name={t('Version')} texts={runs.map(({ ActivityVersion }) => String(ActivityVersion))} />
          <Fact
            name={t('Duration')}
            texts={durations.map((duration) => (duration === null ? '' : formatDuration(duration)))}
            changes={durationChanges}
          />
        </tbody>
        <Values title={t('Inputs')} tone="input" {...{ runs, onlyDifferences }} values={inputs} />
        <Values title={t('Outputs')} tone="output" {...{ runs, onlyDifferences }} values={outputs} />
      </table>
    </div>
  );
}

function RunHead({ run }: { run: ActivityRun }) {
  return (
    <th scope="col">
      <Link to={`/activities/runstatus/${run.Id}/`}>
        {t('Run of {queueTime}', { queueTime: formatDayTime(run.QueueTime, true) })}
      </Link>
      <div className="rs-muted">{t('Run {id}', { id: run.Id })}</div>
    </th>
  );
}

interface ValuesProps {
  title: string;
  tone: 'input' | 'output';
  runs: readonly ActivityRun[];
  values: ComparedValue[];
  onlyDifferences: boolean;
}

function Values({ title, tone, runs, values, onlyDifferences }: ValuesProps) {
  const shown = onlyDifferences ? values.filter(({ differs }) => differs) : values;
  if (shown.length === 0) return null;
  return (
    <tbody>
      <tr className={`rs-compare-${tone}`}>
        <th scope="rowgroup" colSpan={runs.length + 2}>
          {title}
        </th>
      </tr>
      {shown.map(({ id, ...value }) => (
        <Line key={id} {...value} />
      ))}
    </tbody>
  );
}

type LineProps = Pick<ComparedValue, 'name' | 'texts' | 'changes' | 'notes' | 'differs'>;

const Fact = ({ name, texts, changes = [] }: Pick<LineProps, 'name' | 'texts'> & { changes?: string[] }) => (
  <Line name={name} texts={texts} changes={changes} notes={[]} differs={texts.some((text) => text !== texts[0])} />
);

function Line({ name, texts, changes, notes, differs }: LineProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {texts.map((text, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- the runs keep their places
        <td key={at}>
          {text}
          {notes[at] && <div className="rs-muted">{notes[at]}</div>}
          {changes[at] && <div className="rs-compare-change">{changes[at]}</div>}
        </td>
      ))}
      <Mark differs={differs} />
    </tr>
  );
}

function Mark({ differs }: { differs: boolean }) {
  return (
    <td className={differs ? 'rs-compare-differs' : 'rs-muted'}>
      {differs ? <NotEqualTo title={false} /> : <Equals title={false} />} {differs ? t('differs') : t('same')}
    </td>
  );
}
