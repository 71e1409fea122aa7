import { Equals, NotEqualTo } from '@blueprintjs/icons';
import { Link } from 'react-router-dom';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { formatDayTime, formatDuration } from '#renderer/ui/format-date.ts';
import { StatusTag } from '#renderer/ui/StatusTag.tsx';
import type { ComparedValue } from './compare-runs.ts';

interface ComparedTableProps {
  left: ActivityRun;
  right: ActivityRun;
  inputs: ComparedValue[];
  outputs: ComparedValue[];
  onlyDifferences: boolean;
}

/** Both runs in columns of their own. What differs says so in a word and a sign. */
export function ComparedTable({ left, right, inputs, outputs, onlyDifferences }: ComparedTableProps) {
  const facts: { name: string; of: (run: ActivityRun) => string }[] = [
    { name: 'Run By', of: (run) => run.UserFullName },
    { name: 'Version', of: (run) => String(run.ActivityVersion) },
    { name: 'Duration', of: durationOf },
  ];
  return (
    <div className="rs-compare-scroll">
      <table className="rs-compare">
        <thead>
          <tr>
            <th scope="col">
              <span className="rs-visually-hidden">What is compared</span>
            </th>
            <RunHead run={left} />
            <RunHead run={right} />
            <th scope="col">Comparison</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Status</th>
            <td>
              <StatusTag status={left.Status} />
            </td>
            <td>
              <StatusTag status={right.Status} />
            </td>
            <Mark differs={left.Status !== right.Status} />
          </tr>
          {facts.map(({ name, of }) => (
            <Line key={name} name={name} left={of(left)} right={of(right)} differs={of(left) !== of(right)} />
          ))}
        </tbody>
        <Values title="Inputs" tone="input" values={inputs} onlyDifferences={onlyDifferences} />
        <Values title="Outputs" tone="output" values={outputs} onlyDifferences={onlyDifferences} />
      </table>
    </div>
  );
}

function RunHead({ run }: { run: ActivityRun }) {
  return (
    <th scope="col">
      <Link to={`/activities/runstatus/${run.Id}/`}>Run of {formatDayTime(run.QueueTime, true)}</Link>
    </th>
  );
}

function durationOf({ StartTime, QueueTime, EndTime }: ActivityRun): string {
  return EndTime === null ? '' : formatDuration(Date.parse(EndTime) - Date.parse(StartTime ?? QueueTime));
}

interface ValuesProps {
  title: string;
  tone: 'input' | 'output';
  values: ComparedValue[];
  onlyDifferences: boolean;
}

function Values({ title, tone, values, onlyDifferences }: ValuesProps) {
  const shown = onlyDifferences ? values.filter(({ differs }) => differs) : values;
  if (shown.length === 0) return null;
  return (
    <tbody>
      <tr className={`rs-compare-${tone}`}>
        <th scope="rowgroup" colSpan={4}>
          {title}
        </th>
      </tr>
      {shown.map(({ id, ...value }) => (
        <Line key={id} {...value} />
      ))}
    </tbody>
  );
}

function Line({ name, left, right, differs }: Pick<ComparedValue, 'name' | 'left' | 'right' | 'differs'>) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{left}</td>
      <td>{right}</td>
      <Mark differs={differs} />
    </tr>
  );
}

function Mark({ differs }: { differs: boolean }) {
  return (
    <td className={differs ? 'rs-compare-differs' : 'rs-muted'}>
      {differs ? <NotEqualTo title={false} /> : <Equals title={false} />} {differs ? 'differs' : 'same'}
    </td>
  );
}
