import { Button } from '@blueprintjs/core';
import { Plus, Trash } from '@blueprintjs/icons';
import { useState } from 'react';
import type { ProcedureSettings, ResultSettings } from '#shared/contract/procedure-settings.ts';
import type { ProcedureDescription } from '#shared/contract/procedures.ts';
import { t } from '#renderer/language/translate.ts';
import { TextField } from '#renderer/ui/FormField.tsx';
import { NamedColumns } from './NamedColumns.tsx';
import { declaredResults, isAsked, RESULT_USAGES, resultsOfTrial, usageText } from './procedure-settings.ts';
import { TrialRunDialog } from './TrialRunDialog.tsx';

interface ResultsEditorProps {
  description: ProcedureDescription;
  settings: ProcedureSettings;
  onChange: (settings: ProcedureSettings) => void;
}

/** Edits the outputs: those that the database describes, or those that a trial run or the editor has declared. */
export function ResultsEditor({ description, settings, onChange }: ResultsEditorProps) {
  const [isTrying, setTrying] = useState(false);
  const { Results } = settings;
  const write = (next: ResultSettings[] | null): void => onChange({ ...settings, Results: next });
  return (
    <section aria-labelledby="procedure-outputs">
      <h3 id="procedure-outputs">{t('Outputs')}</h3>
      <ValueOutputs description={description} settings={settings} />
      {Results ? <WrittenResults results={Results} onChange={write} /> : <DescribedResults description={description} />}
      <div className="rs-bar">
        <Button text={t('Trial run…')} onClick={() => setTrying(true)} />
        {Results ? (
          <Button variant="minimal" text={t("Use the database's description")} onClick={() => write(null)} />
        ) : (
          <Button
            variant="minimal"
            text={t('Edit manually')}
            onClick={() => {
              const declared = declaredResults(description, settings);
              write(declared.length > 0 ? declared : [NEW_RESULT]);
            }}
          />
        )}
      </div>
      {isTrying && (
        <TrialRunDialog
          description={description}
          settings={settings}
          onClose={() => setTrying(false)}
          onUse={(trial) => {
            write(resultsOfTrial(trial, Results));
            setTrying(false);
          }}
        />
      )}
    </section>
  );
}

const NEW_RESULT: ResultSettings = { DisplayName: '', Columns: [{ Name: '', CellUsage: 'Text' }] };

function ValueOutputs({ description, settings }: Pick<ResultsEditorProps, 'description' | 'settings'>) {
  const outputs = description.Parameters.filter((one) => !isAsked(one) || one.Direction === 'InOut');
  const nameOf = (name: string): string =>
    settings.Parameters.find(({ Name }) => Name === name)?.DisplayName.trim() || name;
  const names = [...outputs.map(({ Name }) => nameOf(Name)), ...(description.HasReturnCode ? ['ReturnCode'] : [])];
  return names.length > 0 && <p>{names.join(', ')}</p>;
}

function DescribedResults({ description: { Results, ResultsAreAll } }: { description: ProcedureDescription }) {
  return (
    <>
      {Results.map((result, index) => (
        // Results are identified by position only.
        <p key={index}>
          <strong>{t('Result{index}', { index: index + 1 })}</strong>{' '}
          {result ? (
            result.Columns.map(({ Name, CellUsage: usage }) => `${Name} (${usageText(usage)})`).join(', ')
          ) : (
            <span className="rs-muted">
              {t('The database does not report its columns. Start a trial run to find out.')}
            </span>
          )}
        </p>
      ))}
      {!ResultsAreAll && (
        <p className="rs-muted">
          {Results.length > 0
            ? t('The database does not report whether there are more result sets. Start a trial run to find out.')
            : t('The database does not report whether there are result sets. Start a trial run to find out.')}
        </p>
      )}
    </>
  );
}

function WrittenResults(props: { results: readonly ResultSettings[]; onChange: (results: ResultSettings[]) => void }) {
  const { results, onChange } = props;
  return (
    <>
      {results.map((result, index) => {
        const write = (change: Partial<ResultSettings>): void =>
          onChange(results.map((one, at) => (at === index ? { ...one, ...change } : one)));
        const name = `Result${index + 1}`;
        return (
          // Results are identified by position only.
          <div key={index} className="rs-written-result" role="group" aria-label={name}>
            <TextField
              label={t('Display name of {name}', { name })}
              value={result.DisplayName}
              maxLength={255}
              onChange={(DisplayName) => write({ DisplayName })}
            />
            <NamedColumns
              label={name}
              items={result.Columns.map(({ Name, CellUsage: kind }) => ({ Name, kind }))}
              kinds={RESULT_USAGES}
              onChange={(items) => write({ Columns: items.map(({ Name, kind }) => ({ Name, CellUsage: kind })) })}
            />
            <Button
              variant="minimal"
              size="small"
              icon={<Trash />}
              text={t('Remove {name}', { name })}
              onClick={() => onChange(results.toSpliced(index, 1))}
            />
          </div>
        );
      })}
      <Button
        variant="minimal"
        size="small"
        icon={<Plus />}
        text={t('Add result')}
        disabled={results.length >= 50}
        onClick={() => onChange([...results, NEW_RESULT])}
      />
    </>
  );
}
