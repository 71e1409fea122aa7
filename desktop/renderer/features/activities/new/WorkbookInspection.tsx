import { Callout } from '@blueprintjs/core';
import type { Mark } from '#shared/contract/designs.ts';
import type { InspectedWorkbook } from '#shared/contract/workbook-inspection.ts';
import type { InputInfo, OutputInfo } from '#shared/contract/parameters.ts';
import { fidelityIntent, fidelitySentence } from '#renderer/features/versions/fidelity-text.ts';
import { ProblemTable } from '#renderer/features/versions/ProblemTable.tsx';
import { said, t } from '#renderer/language/translate.ts';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { Progress } from '#renderer/ui/states.tsx';
import { UploadStatus } from '../upload/UploadStatus.tsx';
import { ColumnChips } from './ColumnChips.tsx';
import type { InspectionState } from './use-inspection.ts';

const FormPreview = lazyPart(async () => (await import('./FormPreview.tsx')).FormPreview);

interface WorkbookInspectionProps extends InspectionState {
  /** Name and description that the form shows as its heading. */
  name: string;
  description: string;
  /** The marks of the workbook, in which the author can change how tables are read. */
  marks: readonly Mark[];
  onMark: (mark: Mark) => void;
}

/** Describes the activity that the chosen workbook would become, before it is stored. */
export function WorkbookInspection(props: WorkbookInspectionProps) {
  const { uploadId, found, failure, name, description, marks, onMark } = props;
  if (uploadId !== null) {
    const label = t('Reading the workbook');
    return <Progress label={label} share={null} text={<UploadStatus uploadId={uploadId} initial={label} />} />;
  }
  if (failure) return <Callout intent="danger">{said(failure.message)}</Callout>;
  if (!found) return <Progress label={t('Reading the workbook')} share={null} text={t('Reading the workbook')} />;
  const findings = found.Fidelity?.Findings ?? [];
  return (
    <section className="rs-found" aria-label={t('What was found')}>
      <h2>{t('What was found')}</h2>
      <p role="status">{foundSentence(found)}</p>
      <div className="rs-found-lists">
        <Parameters
          title={t('What people fill in')}
          parameters={found.Inputs}
          marks={marks.filter(({ Role }) => Role === 'Input')}
          onMark={onMark}
        />
        <Parameters
          title={t('What they get')}
          parameters={found.Outputs}
          marks={marks.filter(({ Role }) => Role === 'Output')}
          onMark={onMark}
        />
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
              '{count, plural, one {One finding} other {# findings}}: assumptions, and places that may be handled differently from what the workbook intends',
              { count: findings.length },
            )}
          </summary>
          <ProblemTable label={t('Findings of the workbook')} problems={findings} />
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
  const isEmpty = Inputs.length === 0 && Outputs.length === 0;
  const parts = isEmpty
    ? []
    : [
        t('{count, plural, one {# field to fill in} other {# fields to fill in}}', { count: Inputs.length }),
        t('{count, plural, one {# result} other {# results}}', { count: Outputs.length }),
      ];
  if (Steps.length > 0) parts.push(t('{count, plural, one {# step} other {# steps}}', { count: Steps.length }));
  if (Faults.length > 0)
    parts.push(t('{count, plural, one {# problem to fix} other {# problems to fix}}', { count: Faults.length }));
  if (Unsupported.length > 0)
    parts.push(
      t('{count, plural, one {# function to accept} other {# functions to accept}}', { count: Unsupported.length }),
    );
  const rest = parts.length > 0 ? `${parts.join(', ')}.` : '';
  return isEmpty ? `${t('No inputs or outputs found yet.')} ${rest}`.trim() : rest;
}

interface ParametersProps extends Pick<WorkbookInspectionProps, 'marks' | 'onMark'> {
  title: string;
  parameters: InspectedWorkbook['Inputs'] | InspectedWorkbook['Outputs'];
}

function Parameters({ title, parameters, marks, onMark }: ParametersProps) {
  if (parameters.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul>
        {parameters.map(({ Name, Info, Headers }) => (
          <li key={Name}>
            {Name} <span className="rs-muted">{kindText(Info)}</span>
            <ColumnChips
              info={Info}
              headers={Headers}
              mark={marks.find((mark) => mark.Name === Name) ?? null}
              onChange={onMark}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Returns 'Number', or the number of columns of a table, with their kinds unless chips show them. */
function kindText({ CellUsages, RangeType }: InputInfo | OutputInfo): string {
  if (RangeType === 'SingleCell') return said(CellUsages[0] ?? '');
  if (RangeType === 'RangeWithColumnHeaders')
    return t('table of {count, plural, one {# column} other {# columns}}', { count: CellUsages.length });
  return t('table of {count, plural, one {# column} other {# columns}}: {kinds}', {
    count: CellUsages.length,
    kinds: CellUsages.map(said).join(', '),
  });
}
