import { describe, expect, it } from 'vitest';
import type { Output } from '#shared/contract/parameters.ts';
import type { LogEntry } from '#shared/contract/run-status.ts';
import { LogCode } from '#shared/rules/log-codes.ts';
import { publicLog } from './public-log.ts';

const entry = (StatusCode: number, Message: string): LogEntry =>
  ({ Id: 1, ActivityRunId: 1, Message, displayMessage: Message, StatusCode, Category: 3 }) as LogEntry;

const textsOf = (...entries: LogEntry[]): string[] =>
  publicLog(entries).flatMap(({ Message, displayMessage }) => [Message, displayMessage]);

const GENERAL =
  'The activity could not be run because it is not set up correctly. Please tell the person who gave you its address.';

describe('the log of a run as its visitor reads it', () => {
  it('has what the author says, and what is wrong with what was given', () => {
    const said = [LogCode.Information, LogCode.CheckFailed, LogCode.AuthorsWarning, LogCode.ImportRefused].map((code) =>
      entry(code, `Message ${code}`),
    );
    expect(textsOf(...said)).toEqual(said.flatMap(({ Message }) => [Message, Message]));
  });

  it('names an output with an error, without the formula, the cell, or where the error arose', () => {
    const whole =
      "Output 'Net 'A'' has the error #DIV/0! in cell B2 of sheet 'Margins' (=Cost/Secret). It arose in cell C9";
    const output = (Name: string, Value: unknown) => ({ Name, Value: JSON.stringify(Value) }) as Output;
    const outputs = [
      output('Gross', 5),
      output("Net 'A'", { error: '#DIV/0!' }),
      output('Table', [
        [1, 'a'],
        [{ error: '#N/A' }, { error: '#REF!' }],
      ]),
      output('None', null),
    ];
    const warnings = [entry(LogCode.ErrorInOutput, whole), entry(LogCode.ErrorInOutput, 'in B3 of the sheet Secret')];
    const texts = ["Output 'Net 'A'' has the error #DIV/0!", "Output 'Table' has the error #N/A"];
    expect(publicLog(warnings, outputs).map(({ Message }) => Message)).toEqual(texts);
    // If the number of output errors does not match, the outputs are unknown. Without values, the beginning of the
    // warning identifies the output.
    const unknown = 'An output has an error';
    expect(textsOf(...warnings)).toEqual([unknown, unknown, unknown, unknown]);
    const running = outputs.slice(0, 2).map((one) => ({ ...one, Value: null }));
    expect(publicLog(warnings, running).map(({ Message }) => Message)).toEqual([texts[0], unknown]);
  });

  it('says that memory was too little, and not which setting allows more', () => {
    const [text] = textsOf(entry(LogCode.TooLarge, 'An administrator can raise the limit'));
    expect(text).toBe('The workbook needs more memory than allowed');
  });

  it('says nothing of formulas, steps, folders, databases and the system', () => {
    const wrong = [LogCode.Setup, LogCode.QueryRefused, LogCode.WriteRefused, LogCode.StepRefused];
    for (const code of wrong)
      expect(textsOf(entry(code, "the folder 'Rates' of db.example.com"))).toEqual([GENERAL, GENERAL]);
    expect(textsOf(entry(LogCode.StepDone, "Step 'Write': 3 rows in sales.Orders"))).toEqual([]);
    expect(textsOf(entry(LogCode.Consequence, 'at /srv/portal'))).toEqual([]);
  });
});
