import { useState } from 'react';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { fidelityLine } from '#renderer/features/versions/fidelity-text.ts';
import { formatDayTime } from '#renderer/ui/format-date.ts';
import { t } from '#renderer/language/translate.ts';
import { usePrintFooter } from '#renderer/ui/use-print-footer.ts';
import { usePrinting } from '#renderer/ui/use-printing.ts';

/** What a printed run must say about itself, because paper has no links. Rendered only while the page is printed. */
export function PrintedRunFacts({ run }: { run: ActivityRun }) {
  const { Id, Name, ActivityVersion } = run;
  usePrintFooter(t('{name}, version {version}, run {id}', { name: Name, version: ActivityVersion, id: Id }));
  return usePrinting() ? <RunFacts run={run} /> : null;
}

function RunFacts({ run }: { run: ActivityRun }) {
  const [printed] = useState(() => new Date());
  const { Id, ActivityVersion, UserFullName, ClientName = null, QueueTime, EndTime, ChecklistName, Fidelity } = run;
  const facts: [string, string | null][] = [
    [t('Run number'), String(Id)],
    [t('Version'), String(ActivityVersion)],
    [t('Run by'), UserFullName],
    [t('Started by'), ClientName],
    [t('Queued'), formatDayTime(QueueTime, true)],
    [t('Ended'), EndTime && formatDayTime(EndTime, true)],
    [t('Part of'), ChecklistName],
    [t('Fidelity'), Fidelity ? fidelityLine(Fidelity) : null],
    [t('Printed'), formatDayTime(printed, true)],
  ];
  return (
    <dl className="rs-facts rs-printed-facts">
      {facts.map(([name, value]) => value !== null && <Fact key={name} name={name} value={value} />)}
    </dl>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}
