import { HTMLSelect } from '@blueprintjs/core';
import type { WorkflowStepData } from '#shared/contract/workflows.ts';
import { DEFAULT_FOR_EACH_CONCURRENCY, MAX_FOR_EACH_ROWS } from '#shared/rules/workflows/types.ts';
import { t } from '#renderer/language/translate.ts';
import { FormField } from '#renderer/ui/FormField.tsx';
import { CountField } from './CountField.tsx';
import { rowsOffers, rowsTable } from './offered-sources.ts';
import { InputValue } from './InputValue.tsx';
import type { StepPartProps } from './step-part.ts';

type ForEach = Extract<WorkflowStepData, { Kind: 'ForEach' }>;

const MAX_CONCURRENCY = 100;

/** Fields of a ForEach step: the rows for which it runs its activity, and how. */
export function ForEachFields({ draft, step, isReadOnly, write }: StepPartProps<ForEach>) {
  const { graph, activities } = draft;
  const columns = rowsTable(graph, step, activities)?.Info.ColumnHeaderValues ?? [];
  const isKnown = step.KeyColumn === null || columns.includes(step.KeyColumn);
  return (
    <fieldset className="rs-workflow-inputs">
      <legend className="rs-workflow-legend">{t('Rows')}</legend>
      <RowsField draft={draft} step={step} isReadOnly={isReadOnly} write={write} />
      <FormField label={t('Name rows by')}>
        {({ id }) => (
          <HTMLSelect
            id={id}
            value={step.KeyColumn ?? ''}
            disabled={isReadOnly}
            onChange={({ currentTarget }) =>
              write({ KeyColumn: currentTarget.value === '' ? null : currentTarget.value })
            }
          >
            <option value="">{t('Row number')}</option>
            {!isKnown && (
              <option value={step.KeyColumn!}>
                {t('{keyColumn} (this column does not exist)', { keyColumn: step.KeyColumn })}
              </option>
            )}
            {columns.map((column) => (
              <option key={column} value={column}>
                {t('Column {column}', { column })}
              </option>
            ))}
          </HTMLSelect>
        )}
      </FormField>
      <CountField
        key={`at once ${step.Key}`}
        label={t('Concurrent rows')}
        value={step.AtOnce}
        max={MAX_CONCURRENCY}
        blankAs={DEFAULT_FOR_EACH_CONCURRENCY}
        isReadOnly={isReadOnly}
        onChange={(AtOnce) => write({ AtOnce: AtOnce ?? DEFAULT_FOR_EACH_CONCURRENCY }, 'AtOnce')}
      />
      <CountField
        key={`stop ${step.Key}`}
        label={t('Stop after failed rows')}
        helper={t('Leave empty to run all rows, even if some fail')}
        value={step.StopAfterFailures}
        max={MAX_FOR_EACH_ROWS}
        blankAs={null}
        isReadOnly={isReadOnly}
        onChange={(StopAfterFailures) => write({ StopAfterFailures }, 'StopAfterFailures')}
      />
    </fieldset>
  );
}

function RowsField({ draft: { graph, activities }, step, isReadOnly, write }: StepPartProps<ForEach>) {
  return (
    <FormField
      label={t('For each row of')}
      helper={t('A table input of the workflow, a table from an earlier step, or a formula that returns rows of one')}
    >
      {({ id }) => (
        <InputValue
          id={id}
          label={t('For each row of')}
          graph={graph}
          stepKey={step.Key}
          activities={activities}
          value={step.Rows}
          groups={rowsOffers(graph, step.Key, activities)}
          noneText={t('Not chosen')}
          shape={null}
          disabled={isReadOnly}
          onChange={(from, burst) =>
            from && from.Kind !== 'Column' && from.Kind !== 'Constant' && write({ Rows: from }, burst)
          }
        />
      )}
    </FormField>
  );
}
