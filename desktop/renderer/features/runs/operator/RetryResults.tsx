import { Link } from 'react-router-dom';
import type { RetriedRun, RetryPlan } from '#shared/contract/run-failures.ts';
import { said, t } from '#renderer/language/translate.ts';

interface RetryResultsProps {
  plan: RetryPlan;
  results: readonly RetriedRun[];
}

/** What became of each run, refusals first. */
export function RetryResults({ plan, results }: RetryResultsProps) {
  const names = new Map(plan.Runs.map(({ Id, Name }) => [Id, Name]));
  const order = (run: RetriedRun): number => (run.Outcome === 'Refused' ? 0 : 1);
  return (
    <div className="rs-retry-results" tabIndex={0} role="region" aria-label={t('Results of the retry')}>
      <table className="rs-table">
        <thead>
          <tr>
            <th scope="col">{t('Run {id}', { id: '' }).trim()}</th>
            <th scope="col">{t('Activity')}</th>
            <th scope="col">{t('Result')}</th>
          </tr>
        </thead>
        <tbody>
          {[...results]
            .sort((a, b) => order(a) - order(b))
            .map((run) => (
              <tr key={run.Id}>
                <td>
                  <Link to={`/activities/runstatus/${run.Id}/`}>{run.Id}</Link>
                </td>
                <td>{names.get(run.Id)}</td>
                <td>
                  <Result run={run} />
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

function Result({ run: { Outcome, NewId, Message } }: { run: RetriedRun }) {
  if (Outcome === 'Refused') return <span className="rs-retry-refused">{said(Message)}</span>;
  const text = Outcome === 'Started' ? t('Started as') : t('Already retried as');
  if (NewId === null) return <>{t('Already retried by somebody else')}</>;
  return (
    <>
      {text} <Link to={`/activities/runstatus/${NewId}/`}>{t('Run {id}', { id: NewId })}</Link>
    </>
  );
}
