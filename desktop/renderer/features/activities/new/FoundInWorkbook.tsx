import { Callout } from '@blueprintjs/core';
import type { InspectedWorkbook } from '#shared/contract/workbook-inspection.ts';
import type { InputInfo, OutputInfo } from '#shared/contract/parameters.ts';
import { fidelityIntent, fidelitySentence } from '#renderer/features/versions/fidelity-text.ts';
import { FaultTable } from '#renderer/features/versions/FaultTable.tsx';
import { said, t } from '#renderer/language/translate.ts';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { Progress } from '#renderer/ui/states.tsx';
import type { InspectionState } from './use-inspection.ts';

const FormPreview = lazyPart(async () => (await import('./FormPreview.tsx')).FormPreview);

interface FoundInWorkbookProps extends InspectionState {
  /** What the form of the activity says over it. */
  name: string;
  description: string;
}

/** What a chosen workbook would become, told before it is stored. */
export function FoundInWorkbook({ isLooking, found, failure, name, description }: FoundInWorkbookProps) {
  if (isLooking) return <Progress label={t('Reading the workbook')} share={null} text={t('Reading the workbook')} />;
  if (failure) return <Callout intent="danger">{said(failure.message)}</Callout>;
  if (!found) return null;
  const findings = found.Fidelity?.Findings ?? [];
  return (
    <section className="rs-found" aria-label={t('What was found')}>
      <h2>{t('What was found')}</h2>
      <p role="status">{foundSentence(found)}</p>
      <div className="rs-found-lists">
        <Parameters title={t('Inputs')} parameters={found.Inputs} />
        <Parameters title={t('Outputs')} parameters={found.Outputs} />
        {found.Steps.length > 0 && (
          <div>
            <h3>{t('Steps')}</h3>
            <ol>
              {found.Steps.map(({ Step, Action }, index) => (
                <li key={index}>
                  {Step} <span className="rs-muted">{Action}</span>
                </li>
              ))}
            </ol>
          </div>
        )}
      </div>
      {found.Fidelity && (
        <Callout compact intent={fidelityIntent(found.Fidelity)}>
          {fidelitySentence(found.Fidelity)}
        </Callout>
      )}
      {findings.length > 0 && (
        <details className="rs-found-findings">
          <summary>
            {t(
              '{count, plural, one {One finding} other {# findings}}: what was guessed, or is done otherwise than the workbook may mean it',
              { count: findings.length },
            )}
          </summary>
          <FaultTable label={t('Findings of the workbook')} faults={findings} />
        </details>
      )}
      {found.Inputs.length > 0 && (
        <Card title={t('How the form will look')}>
          <FormPreview inputs={found.Inputs} name={name} description={description} />
        </Card>
      )}
    </section>
  );
}

function foundSentence({ Inputs, Outputs, Steps, Faults, Unsupported }: InspectedWorkbook): string {
  const parts = [
    t('{count, plural, one {# input} other {# inputs}}', { count: Inputs.length }),
    t('{count, plural, one {# output} other {# outputs}}', { count: Outputs.length }),
  ];
  if (Steps.length > 0) parts.push(t('{count, plural, one {# step} other {# steps}}', { count: Steps.length }));
  if (Faults.length > 0)
    parts.push(t('{count, plural, one {# fault to mend} other {# faults to mend}}', { count: Faults.length }));
  if (Unsupported.length > 0)
    parts.push(
      t('{count, plural, one {# function to accept} other {# functions to accept}}', { count: Unsupported.length }),
    );
  return `${parts.join(', ')}.`;
}

interface ParametersProps {
  title: string;
  parameters: readonly { Name: string; Description: string; Info: InputInfo | OutputInfo }[];
}

function Parameters({ title, parameters }: ParametersProps) {
  if (parameters.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul>
        {parameters.map(({ Name, Info }) => (
          <li key={Name}>
            {Name} <span className="rs-muted">{kindText(Info)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** 'Number', or the kinds of a table's columns. */
function kindText({ CellUsages, RangeType }: InputInfo | OutputInfo): string {
  if (RangeType === 'SingleCell') return said(CellUsages[0] ?? '');
  return t('table of {count, plural, one {# column} other {# columns}}: {kinds}', {
    count: CellUsages.length,
    kinds: CellUsages.map(said).join(', '),
  });
}
