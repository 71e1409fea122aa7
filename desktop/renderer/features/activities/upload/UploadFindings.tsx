import { Callout, Checkbox } from '@blueprintjs/core';
import { WarningSign } from '@blueprintjs/icons';
import type { UploadFailure } from '#shared/contract/versions.ts';
import { ProblemTable } from '#renderer/features/versions/ProblemTable.tsx';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';

/** Nobody fixes more at one time; the next upload lists the rest. */
const SHOWN = 200;

interface UploadFindingsProps extends Pick<UploadFailure, 'Faults' | 'Unsupported'> {
  accepted: readonly string[];
  onAccept: (names: string[]) => void;
}

/**
 * Lists why an uploaded workbook cannot become an activity: problems to fix in Excel, and functions to accept by name.
 */
export function UploadFindings({ Faults = [], Unsupported = [], accepted, onAccept }: UploadFindingsProps) {
  return (
    <>
      {Faults.length > 0 && (
        <section className="rs-findings" aria-labelledby="faults-title">
          <h2 id="faults-title">{t('Problems in the workbook')}</h2>
          <p className="rs-muted">
            {t('Fix these problems in Excel, save the workbook, and choose it again. Nothing has been stored.')}
          </p>
          <ProblemTable label={t('Problems')} problems={Faults.slice(0, SHOWN)} />
          {Faults.length > SHOWN && (
            <p className="rs-muted">
              {t('These are the first {shown} of {faultsCount}.', {
                shown: SHOWN,
                faultsCount: numberText(Faults.length),
              })}
            </p>
          )}
        </section>
      )}
      {Unsupported.length > 0 && (
        <section className="rs-findings" aria-labelledby="functions-title">
          <h2 id="functions-title">{t('Functions that cannot be recalculated')}</h2>
          <Callout intent="warning" icon={<WarningSign />} compact>
            {t(
              "Outputs depend on these functions. Their results would be the values saved in the workbook, or errors. Accept the functions whose results you don't need, then upload again.",
            )}
          </Callout>
          <div className="rs-accept">
            {Unsupported.map((name) => (
              <Checkbox
                key={name}
                label={name}
                checked={accepted.includes(name)}
                onChange={(event) =>
                  onAccept(
                    event.currentTarget.checked ? [...accepted, name] : accepted.filter((other) => other !== name),
                  )
                }
              />
            ))}
          </div>
        </section>
      )}
    </>
  );
}
