import { Button } from '@blueprintjs/core';
import { Comparison } from '@blueprintjs/icons';
import { useState } from 'react';
import { runHistory } from '#shared/contract/run-history.ts';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { t } from '#renderer/language/translate.ts';
import { showError, showMessage } from '#renderer/ui/toaster.tsx';
import { useNavigateWhileHere } from '#renderer/ui/use-navigate-while-here.ts';

/** Explains why a number changed: compares the run with the activity's previous successful run. */
export function CompareButton({ run: { Id, ActivityId } }: { run: ActivityRun }) {
  const [isSearching, setSearching] = useState(false);
  const navigate = useNavigateWhileHere();
  const compare = async (): Promise<void> => {
    setSearching(true);
    try {
      const { Runs } = await call(runHistory, {
        body: { ActivityId, PrevRunId: Id, ApproxRows: 1, Statuses: ['Succeeded', 'SucceededWarn'] },
      });
      const [before] = Runs;
      if (before) await navigate(`/activities/runcompare/${before.Id}/${Id}?only=differences`);
      else showMessage(t('There is no earlier run that succeeded.'));
    } catch (error) {
      showError(toFailure(error).message);
    } finally {
      setSearching(false);
    }
  };
  return (
    <Button
      size="small"
      icon={<Comparison />}
      text={t('Compare with previous run')}
      title={t('Shows what differs from the previous successful run')}
      loading={isSearching}
      onClick={() => void compare()}
    />
  );
}
