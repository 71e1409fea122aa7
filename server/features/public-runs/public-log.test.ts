import { describe, expect, it } from 'vitest';
import type { LogEntry } from '#shared/contract/run-status.ts';
import { LogCode } from '#shared/rules/log-codes.ts';
import { publicLog } from './public-log.ts';

const entry = (StatusCode: number, Message: string): LogEntry =>
  ({ Id: 1, ActivityRunId: 1, Message, displayMessage: Message, StatusCode, Category: 3 }) as LogEntry;

const told = (...entries: LogEntry[]): string[] =>
  publicLog(entries).flatMap(({ Message, displayMessage }) => [Message, displayMessage]);

const GENERAL = 'The activity could not be carried out as it is set up. Please tell those who gave you its address.';

describe('the log of a run as its visitor reads it', () => {
  it('has what the author says, and what is wrong with what was given', () => {
    const said = [LogCode.Information, LogCode.CheckFailed, LogCode.AuthorsWarning, LogCode.ImportRefused].map((code) =>
      entry(code, `Message ${code}`),
    );
    expect(told(...said)).toEqual(said.flatMap(({ Message }) => [Message, Message]));
  });

  it('names an output with an error, without the formula, the cell, or where the error arose', () => {
    const whole =
      "Output 'Net 'A'' has the error #DIV/0! in cell B2 of sheet 'Margins' (=Cost/Secret). It arose in cell C9";
    const short = "Output 'Net 'A'' has the error #DIV/0!";
    expect(told(entry(LogCode.ErrorInOutput, whole))).toEqual([short, short]);
  });

  it('says nothing of formulas, steps, folders, databases and the system', () => {
    const wrong = [LogCode.Setup, LogCode.QueryRefused, LogCode.WriteRefused, LogCode.StepRefused];
    for (const code of wrong)
      expect(told(entry(code, "the folder 'Rates' of db.example.com"))).toEqual([GENERAL, GENERAL]);
    expect(told(entry(LogCode.StepDone, "Step 'Write': 3 rows in sales.Orders"))).toEqual([]);
    expect(told(entry(LogCode.Consequence, 'at /srv/portal'))).toEqual([]);
  });
});
