import { Callout, Checkbox, HTMLTable } from '@blueprintjs/core';
import { WarningSign } from '@blueprintjs/icons';
import type { UploadFailure, WorkbookFault } from '#shared/contract/activities.ts';

/** More than anybody mends at once; the next upload tells the rest. */
const SHOWN = 200;

interface UploadFindingsProps extends Pick<UploadFailure, 'Faults' | 'Unsupported'> {
  accepted: readonly string[];
  onAccept: (names: string[]) => void;
}

/** What keeps an uploaded workbook from being an activity: faults to mend in Excel, and functions one may accept by name. */
export function UploadFindings({ Faults = [], Unsupported = [], accepted, onAccept }: UploadFindingsProps) {
  return (
    <>
      {Faults.length > 0 && (
        <section className="rs-findings" aria-labelledby="faults-title">
          <h2 id="faults-title">Faults in the workbook</h2>
          <p className="rs-muted">
            Mend these in Excel, save the workbook and choose it again. Nothing has been stored.
          </p>
          <FaultTable faults={Faults.slice(0, SHOWN)} />
          {Faults.length > SHOWN && (
            <p className="rs-muted">
              These are the first {SHOWN} of {Faults.length}.
            </p>
          )}
        </section>
      )}
      {Unsupported.length > 0 && (
        <section className="rs-findings" aria-labelledby="functions-title">
          <h2 id="functions-title">Functions that cannot be recalculated</h2>
          <Callout intent="warning" icon={<WarningSign />} compact>
            Outputs depend on these functions. Their results would be the values saved in the workbook, or errors.
            Accept those you can live without, then upload again.
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

/** A plain table: messages and remedies are sentences, to be read whole. */
function FaultTable({ faults }: { faults: readonly WorkbookFault[] }) {
  return (
    <div className="rs-faults" role="group" aria-label="Faults" tabIndex={0}>
      <HTMLTable compact bordered>
        <thead>
          <tr>
            <th scope="col">Sheet</th>
            <th scope="col">Cell</th>
            <th scope="col">Message</th>
            <th scope="col">Remedy</th>
          </tr>
        </thead>
        <tbody>
          {faults.map((fault) => (
            <tr key={`${fault.Sheet}!${fault.Cell} ${fault.Message}`}>
              <td>{fault.Sheet}</td>
              <td>{fault.Cell}</td>
              <td>{fault.Message}</td>
              <td>{fault.Remedy}</td>
            </tr>
          ))}
        </tbody>
      </HTMLTable>
    </div>
  );
}
