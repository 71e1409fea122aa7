import { Button, Checkbox, PopoverNext } from '@blueprintjs/core';
import { Filter } from '@blueprintjs/icons';
import { FAILED_STATUSES, RUN_STATUSES, type RunStatus } from '#shared/contract/run-status.ts';
import { t } from '#renderer/language/translate.ts';
import { StatusTag, statusText } from '#renderer/ui/StatusTag.tsx';
import './history.css';

const OFFERED = RUN_STATUSES.filter((status) => status !== 'NotRunToday');

interface StatusFilterProps {
  chosen: readonly RunStatus[];
  /** `to` receives the current statuses; the rendered ones may be older. */
  onChange: (to: (present: readonly RunStatus[]) => RunStatus[]) => void;
}

/** Chooses by status which runs a history shows. */
export function StatusFilter({ chosen, onChange }: StatusFilterProps) {
  const toggle = (status: RunStatus): void =>
    onChange((present) =>
      present.includes(status) ? present.filter((other) => other !== status) : [...present, status],
    );
  return (
    <PopoverNext
      placement="bottom-end"
      content={
        <fieldset className="rs-status-filter">
          <legend className="rs-visually-hidden">{t('Statuses to show')}</legend>
          <div className="rs-status-filter-all">
            <Button size="small" text={t('All')} onClick={() => onChange(() => [])} />
            <Button size="small" text={t('Failed')} onClick={() => onChange(() => [...FAILED_STATUSES])} />
          </div>
          {OFFERED.map((status) => (
            <Checkbox key={status} checked={chosen.includes(status)} onChange={() => toggle(status)}>
              <StatusTag status={status} />
            </Checkbox>
          ))}
        </fieldset>
      }
    >
      <Button icon={<Filter />} text={filterText(chosen)} aria-haspopup="dialog" />
    </PopoverNext>
  );
}

function filterText(chosen: readonly RunStatus[]): string {
  if (chosen.length === 0) return t('All statuses');
  return chosen.length > 2
    ? t('{chosenCount} statuses', { chosenCount: chosen.length })
    : chosen.map(statusText).join(', ');
}
